// After a question was added, the cursor is in it.

if (document.querySelector("#questionnaire .notice-warning")) {
  const texts = document.querySelectorAll(".question-text input");
  texts[texts.length - 1]?.focus();
}
