import { Router } from 'express';
import type { Guard } from '../http/guard.js';
import type { Session } from '../run/session.js';
export function controlApi(_session: Session, _guard: Guard): Router { return Router(); }
