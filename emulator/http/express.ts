import { createRequire } from 'node:module';
import type imported from 'express';

/**
 * Express. Required, because an import makes Node search the package's text for the names of its exports, which delays the
 * first start by some 30 ms.
 */
export const express = createRequire(import.meta.url)('express') as typeof imported;
