import pytest

from annotation.formats.encodings import ENCODINGS, codec_of, find_encoding, guess_encoding
from annotation.formats.errors import InputError

# Sentences of a few lines, as short files have them.
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy.\nVýbor se sešel v pondělí.\n"
POLISH = "Zażółć gęślą jaźń, mówił żółw.\nMieszkańcy chcą nowej drogi.\n"
HUNGARIAN = "Árvíztűrő tükörfúrógép működik.\nA bizottság hétfőn ülésezett.\n"
GERMAN = "Der Ausschuß tagte gestern früh.\nÜber den Haushalt stritt man sich.\n"
FRENCH = "Le comité s’est réuni à Paris.\nOù était-il passé l’été dernier ?\n"
ENGLISH = "It’s the committee’s café – and it cost £5.\n"
TURKISH = "İstanbul’da güneşli bir gün geçirdik.\nÇocuklar şarkı söylüyor.\n"
LITHUANIAN = "Komitetas posėdžiavo pirmadienį.\nĄžuolas žaliuoja šalia ežero.\n"
VIETNAMESE = "Ủy ban đã họp vào thứ hai.\nTiếng Việt có nhiều dấu.\n"
RUSSIAN = "Комитет собрался в понедельник.\nСтарый дом стоит у реки.\n"
UKRAINIAN = "Комітет зібрався в понеділок.\nЇжак з’їв яблуко біля ґанку.\n"
GREEK = "Η επιτροπή συνεδρίασε τη Δευτέρα.\nΤι κάνεις σήμερα;\n"
HEBREW = "הוועדה התכנסה ביום שני בירושלים.\nהבית הישן עומד ליד הנהר.\n"
ARABIC = "اجتمعت اللجنة يوم الاثنين في المدينة.\nالبيت القديم قرب النهر.\n"
THAI = "คณะกรรมการประชุมเมื่อวันจันทร์\nบ้านเก่าอยู่ใกล้แม่น้ำ\n"
CHINESE = "委员会星期一在北京开会。\n老房子在河边。\n"
TAIWANESE = "委員會星期一在臺北開會。\n老房子在河邊。\n"
JAPANESE = "委員会は月曜日に東京で開かれた。\n古い家は川のそばにあります。\n"
KOREAN = "위원회는 월요일에 서울에서 열렸다.\n오래된 집은 강 옆에 있다.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CZECH, "Windows-1250"),
        (CZECH, "ISO-8859-2"),
        (CZECH, "IBM852"),
        (POLISH, "Windows-1250"),
        (POLISH, "ISO-8859-2"),
        (HUNGARIAN, "Windows-1250"),
        (GERMAN, "Windows-1252"),
        (GERMAN, "Macintosh"),
        (FRENCH, "Windows-1252"),
        (ENGLISH, "Windows-1252"),
        (TURKISH, "Windows-1254"),
        (LITHUANIAN, "Windows-1257"),
        (RUSSIAN, "Windows-1251"),
        (RUSSIAN, "IBM866"),
        (RUSSIAN, "ISO-8859-5"),
        (UKRAINIAN, "Windows-1251"),
        (UKRAINIAN.replace("’", "'"), "KOI8-U"),
        (GREEK, "Windows-1253"),
        (HEBREW, "Windows-1255"),
        (ARABIC, "Windows-1256"),
        (THAI, "Windows-874"),
        (CHINESE, "GB18030"),
        (TAIWANESE, "Big5"),
        (JAPANESE, "Shift_JIS"),
        (JAPANESE, "EUC-JP"),
        (KOREAN, "EUC-KR"),
        (CZECH, "UTF-16"),
    ],
)
def test_the_encoding_of_two_sentences_is_guessed(text: str, encoding: str) -> None:
    lines = text.encode(codec_of(encoding)).splitlines(keepends=True)
    guessed = guess_encoding(lines)
    assert guessed == encoding


def test_a_text_with_few_damaged_bytes_is_utf8() -> None:
    assert guess_encoding([CZECH.encode(), b"tw\xff\n"]) == "UTF-8"
    assert guess_encoding([b"plain\n"]) == "UTF-8"
    assert guess_encoding([]) == "UTF-8"


def test_bytes_that_are_no_letters_have_no_encoding() -> None:
    assert guess_encoding([b"\x81\x8d\x8f\x90\x9d\xff\x01\x80\n"]) == ""


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("windows-1250", "Windows-1250"),
        (" CP1250 ", "Windows-1250"),
        ("latin2", "ISO-8859-2"),
        ("gbk", "GB18030"),
        ("sjis", "Shift_JIS"),
        ("utf8", "UTF-8"),
    ],
)
def test_an_encoding_is_known_by_all_its_names(name: str, encoding: str) -> None:
    assert find_encoding(name) == encoding


@pytest.mark.parametrize("name", ["klingon", "rot13", "idna", "", "a\0b"])
def test_other_encodings_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="no encoding"):
        find_encoding(name)


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_encoding_is_found_by_the_name_that_is_shown(name: str) -> None:
    assert find_encoding(name) == name
    assert "a".encode(codec_of(name)).decode(codec_of(name)) == "a"
