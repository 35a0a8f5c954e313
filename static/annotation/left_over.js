/* Submissions of earlier sentences that waited for a network: handed in from any judging page. */
import { forget, leftOver } from "./kept.js";
import { send } from "./server.js";

async function handIn([key, { url, body }]) {
  const { status, data } = await send("POST", url, body);
  // 409 without `submitted`: somebody else has the sentence now, and it may become free again.
  if (status === 201 || status === 404 || status === 400 || data.submitted) forget(key);
}

leftOver().forEach(handIn);
