// Written by `npm run generate` from catalogue/events and catalogue/shapes; do not edit.
import type { Documents } from '../schema.js';

export declare const shapes: Documents['shapes'];
export declare const events: Documents['events'];
