/* Builds a board from a segment's list of candidates: for the judging pages and the preview. */

/** Add a board after the segment's list, with all candidates in the tray; return it. */
export function addBoard(segment) {
  const [board, piece, rank] = document.getElementById("board-parts").content.cloneNode(true).children;
  const candidates = [...segment.querySelectorAll(".candidate")];
  const label = board.querySelector(".tray .label");
  label.id = `${segment.id}-tray`;
  const tray = board.querySelector(".tray .slot");
  tray.setAttribute("aria-labelledby", label.id);
  tray.append(...candidates.map((candidate) => makePiece(piece, candidate)));
  const steps = [...candidates[0].querySelectorAll(".step")].map((step) => step.textContent);
  // Where the label has the key, the place would be a second number.
  const isNumbered = candidates[0].querySelector("[data-key]") !== null;
  const ranks = steps.length || candidates.length;
  for (let number = 1; number <= ranks; number += 1) {
    board.querySelector(".ladder").append(makeRank(rank, number, ranks, steps[number - 1]));
    if (isNumbered) board.querySelector(".ladder > :last-child .rank-number").remove();
  }
  if (steps.length) {
    board.querySelector(".garbage").remove();
    board.classList.add("on-scale");
  }
  board.style.setProperty("--ranks", ranks);
  segment.querySelector(".list").after(board);
  return board;
}

function makePiece(piece, candidate) {
  const made = piece.cloneNode(true);
  made.dataset.card = candidate.dataset.card;
  made.querySelector(".face").append(candidate.querySelector("legend bdi").cloneNode(true));
  if (!candidate.querySelector(".whole")) made.querySelector(".whole-switch").remove();
  return made;
}

/** Return a rank; `step` is the label of a step of a scale. */
function makeRank(rank, number, worst, step) {
  const made = rank.cloneNode(true);
  made.dataset.value = number;
  made.querySelector(".rank-number").textContent = number;
  made.querySelector(".insert-number").textContent = number;
  if (step) {
    made.querySelector(".insert").remove();
    made.querySelector(".best").textContent = step;
    made.querySelector(".best").classList.replace("cue", "step");
  } else if (number !== 1 || worst === 1) made.querySelector(".best").remove();
  if (step || number !== worst || worst === 1) made.querySelector(".worst").remove();
  return made;
}
