// Written by `busbar catalogue types`. Do not edit.
import type * as busbar from 'busbar/catalogue';

declare module 'busbar/catalogue' {
  interface EventCatalogue {
    'house_move.announced': { v1: HouseMoveAnnouncedV1 };
    'house_move.completed': { v1: HouseMoveCompletedV1 };
  }
}

/** A customer announced a move to another home. */
export interface HouseMoveAnnouncedV1 {
  account: busbar.HouseMoveAccount;
  /** Supply points of the home that the customer leaves. */
  supply_points: busbar.HouseMoveSupplyPoint[];
  /** Day of the move. */
  moves_on: string;
}

/** A customer moved out, and a final bill follows. */
export interface HouseMoveCompletedV1 {
  account: busbar.HouseMoveAccount;
  /** Day of the move. */
  moved_on: string;
  /** Reason of the move. */
  reason?: 'sold' | 'rented' | 'other';
}
