// A button that saves the text of a field as a file; the server does not keep it.

for (const button of document.querySelectorAll("[data-download]")) {
  button.addEventListener("click", () => {
    const text = document.getElementById(button.dataset.download).value;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/csv" }));
    link.download = button.dataset.name;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
