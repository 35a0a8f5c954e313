"""The first article of the Universal Declaration of Human Rights in tokens, by language."""

import pytest

from annotation.preparation.tokens import tokenize

# With the characters that a word has on average, at least and at most, and the share of words of
# one character that is plausible.
UNSPACED = {
    "zh": ("人人生而自由,在尊严和权利上一律平等。", 1.2, 2.2, 0.5),
    "ja": ("すべての人間は、生まれながら自由であり、尊厳と権利について平等だ。", 1.3, 2.5, 0.5),
    "th": ("มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ", 3, 6, 0),
    "lo": ("ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ, ສິດທິ, ເສລີພາບແລະຄວາມສະເໝີພາບເທົ່າທຽມກັນ.", 3, 6, 0),
    "km": ("មនុស្សទាំងអស់កើតមកមានសេរីភាពនិងសមភាពក្នុងសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ។", 3, 8, 0),
    "my": ("လူတိုင်းသည်တူညီလွတ်လပ်သောဂုဏ်သိက္ခာဖြင့်မွေးဖွားလာသူများဖြစ်သည်။", 3, 8, 0),
}  # fmt: skip
# The mark at the end is not part of the last word.
SPACED = {
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "ar": "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.",
    "fa": "تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند.",
    "ur": "تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔",
    "he": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
    "hi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
}


@pytest.mark.parametrize("language", UNSPACED)
def test_tokens_without_spaces_have_the_size_of_words(language: str) -> None:
    text, least, most, single = UNSPACED[language]
    words = [word for word in tokenize(text, language).words if any(map(str.isalpha, word))]
    assert least <= sum(map(len, words)) / len(words) <= most
    assert sum(len(word) == 1 for word in words) <= single * len(words)


@pytest.mark.parametrize("language", SPACED)
def test_tokens_with_spaces_are_words(language: str) -> None:
    text = SPACED[language]
    assert tokenize(text, language).words == [*text[:-1].split(), text[-1]]
