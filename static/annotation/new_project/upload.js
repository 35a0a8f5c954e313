/* Uploads dropped or chosen files, and checks them again when their role changes. */

const MAX_FOLDER_DEPTH = 5;
const oneDecimal = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Return the dropped files with their paths, also those in folders. */
async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, path: file.name }));
  const found = await Promise.all(entries.map((entry) => filesOf(entry, MAX_FOLDER_DEPTH)));
  return found.flat();
}

async function filesOf(entry, depth) {
  if (entry.isFile) {
    const file = await new Promise((done, fail) => entry.file(done, fail));
    return [{ file, path: entry.fullPath.replace(/^\//, "") }];
  }
  if (!depth) return [];
  const reader = entry.createReader();
  const inside = [];
  for (;;) {
    // readEntries() returns them in batches.
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) break;
    inside.push(...some);
  }
  const visible = inside.filter((each) => !each.name.startsWith("."));
  return (await Promise.all(visible.map((each) => filesOf(each, depth - 1)))).flat();
}

/** Save the form beside the drop zone: an upload loads a new page. */
async function saveForm() {
  const filled = document.getElementById("files");
  if (filled) await fetch(filled.action, { method: "POST", body: new FormData(filled) }).catch(() => null);
}

function startDropZone(form) {
  const texts = document.querySelector(".drop-texts").dataset;
  const input = form.querySelector("input[type=file]");
  const sending = form.querySelector(".sending");
  const [problem, status] = [form.querySelector("[role=alert]"), form.querySelector("[role=status]")];
  let request = null;

  function showError(words) {
    problem.textContent = words;
    sending.hidden = true;
    form.classList.remove("is-sending");
    input.value = "";
  }

  async function send(files) {
    if (!files.length || form.classList.contains("is-sending")) return;
    const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
    if (bytes > Number(form.dataset.limit) * 1e6) return showError(texts.large);
    problem.textContent = "";
    const data = new FormData();
    data.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    for (const name of ["name", "kind"]) if (form.elements[name]) data.append(name, form.elements[name].value);
    for (const { file, path } of files) {
      data.append("path", path);
      data.append("files", file);
    }
    request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => showSent(event));
    request.upload.addEventListener("load", () => showStatus(texts.checking));
    request.addEventListener("load", () => onAnswer());
    request.addEventListener("error", () => showError(texts.failed));
    request.addEventListener("abort", () => showError(texts.stopped));
    form.classList.add("is-sending");
    sending.hidden = false;
    await saveForm();
    showSent({ loaded: 0, total: bytes });
    status.textContent = sending.textContent;
    request.send(data);
  }

  function showSent({ loaded, total }) {
    form.querySelector("progress").value = total ? (100 * loaded) / total : 100;
    const megabytes = (count) => oneDecimal.format(count / 1e6);
    const words = texts.sending.replace("[done]", megabytes(loaded)).replace("[all]", megabytes(total));
    form.querySelector(".sending-words").textContent = words;
  }

  function showStatus(words) {
    form.querySelector("progress").removeAttribute("value");
    form.querySelector(".sending-words").textContent = words;
    status.textContent = words;
  }

  function onAnswer() {
    const answer = request.response ?? {};
    if (request.status === 200 && answer.address) location.assign(answer.address);
    else showError(answer.detail ?? texts.failed);
  }

  input.required = false;
  input.addEventListener("change", () => send([...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name }))));
  form.querySelector(".stop-sending").addEventListener("click", () => request?.abort());
  // The whole page accepts files: a near miss would open the file in the browser.
  let inside = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    inside += 1;
    form.classList.add("is-over");
  });
  document.addEventListener("dragleave", (event) => {
    if (!hasFiles(event)) return;
    inside -= 1;
    if (!inside) form.classList.remove("is-over");
  });
  document.addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  document.addEventListener("drop", async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    inside = 0;
    form.classList.remove("is-over");
    send(await droppedFiles(event.dataTransfer));
  });
}

/** Ask the server for its findings whenever the role of a file changes. */
function startChecking(form) {
  let latest = 0;
  form.addEventListener("change", async ({ target }) => {
    if (!/^(role|system)-|_language$|^(tokens|kind)$/.test(target.name)) return;
    const own = (latest += 1);
    const findings = document.getElementById("findings");
    findings.classList.add("is-old");
    try {
      const response = await fetch(form.action, { method: "POST", body: new FormData(form) });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = page.getElementById("findings");
      if (own === latest && fresh) findings.replaceWith(fresh);
    } catch {
      findings.classList.remove("is-old");
    }
  });
}

startDropZone(document.querySelector(".drop"));
const files = document.getElementById("files");
if (files) startChecking(files);
