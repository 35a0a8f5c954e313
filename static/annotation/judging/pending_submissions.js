/* Sends submissions of earlier sentences that the server has not answered yet. */
import { removeDraft, pendingSubmissions } from "./draft_storage.js";
import { send } from "./server.js";

async function submit([key, { url, body }]) {
  const { status, data } = await send("POST", url, body);
  // 409 without `submitted`: another annotator has the sentence, and it may become free again.
  if (status === 201 || status === 404 || status === 400 || data.submitted) removeDraft(key);
}

pendingSubmissions().forEach(submit);
