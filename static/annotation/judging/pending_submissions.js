/* On a page without a sentence: sends submissions that the server has not answered. */
import { sendPendingSubmissions } from "./sheet.js";

sendPendingSubmissions();
