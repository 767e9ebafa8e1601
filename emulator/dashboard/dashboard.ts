import { Router } from 'express';
import { pageHandler } from './page.js';

/** The page at the HTTP port, and what it asks the server for beside the stream. */
export function dashboard(): Router {
  const router = Router();
  router.get(/.*/, pageHandler());
  return router;
}
