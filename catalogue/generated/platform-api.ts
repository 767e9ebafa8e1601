// Written by `npm run generate` from catalogue/platform-api.openapi.json; do not edit.

/** Every path that can be read, with the parameters of its query and what it answers. */
export interface GetPaths {
  '/products/': {
    query: {
      /** Only products of this brand. */
      brand?: string;
      /** Only products that are green, or only those that are not. */
      is_green?: boolean;
      /** Only products for prepayment meters, or only others. */
      is_prepay?: boolean;
      /** Number of the page. */
      page?: number;
      /** Records on a page. */
      page_size?: number;
    };
    answer: ProductList;
  };
  '/products/{product_code}/': {
    query: {};
    answer: Product;
  };
  '/products/{product_code}/electricity-tariffs/{tariff_code}/standard-unit-rates/': {
    query: {
      /** Begin of the window, included. */
      period_from?: string;
      /** End of the window, not included. */
      period_to?: string;
      /** Number of the page. */
      page?: number;
      /** Records on a page. */
      page_size?: number;
    };
    answer: UnitRateList;
  };
  '/accounts/{account_number}/': {
    query: {};
    answer: Account;
  };
  '/openapi.json': {
    query: {};
    answer: {
      /** Version of OpenAPI. */
      openapi: string;
      [k: string]: unknown;
    };
  };
}
/** A page of products. */
export interface ProductList {
  /** Number of records on all pages together. */
  count: number;
  /** Locator of the next page. */
  next: string | null;
  /** Locator of the previous page. */
  previous: string | null;
  /** The records of this page. */
  results: Product[];
}
/** A product that customers can be on. */
export interface Product {
  /** Names the product. */
  code: string;
  /** Whether energy is taken or fed back. */
  direction: 'IMPORT' | 'EXPORT';
  /** As on paper. */
  full_name: string;
  /** As on a page. */
  display_name: string;
  /** Free text. */
  description: string;
  /** Prices may change. */
  is_variable: boolean;
  /** Renewable energy. */
  is_green: boolean;
  /** Prices follow the market by the day. */
  is_tracker: boolean;
  /** For prepayment meters. */
  is_prepay: boolean;
  /** For businesses. */
  is_business: boolean;
  /** Not for everybody. */
  is_restricted: boolean;
  /** Months that it is fixed for; null when it has no fixed term. */
  term: number | null;
  /** First sold. */
  available_from: string;
  /** Sold until then; null when open-ended. */
  available_to: string | null;
  /** Locators. */
  links: Link[];
  /** Code of the brand, as the filter takes it. */
  brand: string;
}
/** A locator. */
export interface Link {
  /** Absolute. */
  href: string;
  /** An HTTP method. */
  method: string;
  /** What it leads to; `self`. */
  rel: string;
}
/** A page of unit rates. */
export interface UnitRateList {
  /** Number of records on all pages together. */
  count: number;
  /** Locator of the next page. */
  next: string | null;
  /** Locator of the previous page. */
  previous: string | null;
  /** The records of this page. */
  results: UnitRate[];
}
/** The price of a kilowatt-hour in a period, in pence. */
export interface UnitRate {
  /** Without VAT; may be negative. */
  value_exc_vat: number;
  /** With VAT; may be negative. */
  value_inc_vat: number;
  /** Begin of the period. */
  valid_from: string;
  /** End of the period, not included. */
  valid_to: string;
  /** Who pays this price; null for everybody. */
  payment_method: 'DIRECT_DEBIT' | 'NON_DIRECT_DEBIT' | null;
}
/** An account and where it is supplied. */
export interface Account {
  /** As events name it. */
  number: string;
  /** Where the account stands. */
  status: 'PENDING' | 'ACTIVE' | 'DORMANT' | 'WITHDRAWN' | 'VOID';
  /** Homes that it lives in, has lived in, or is about to: it has agreements there. */
  properties: Property[];
}
/** A home of the account. */
export interface Property {
  /** Names the property. */
  id: number;
  /** Null while the account is only about to move in. */
  moved_in_at: string | null;
  /** Null while it lives there. */
  moved_out_at: string | null;
  /** Flat and building, or number and street. */
  address_line_1: string;
  /** May be empty. */
  address_line_2: string;
  /** May be empty. */
  address_line_3: string;
  /** Town. */
  town: string;
  /** May be empty. */
  county: string;
  /** Postcode. */
  postcode: string;
  /** Supply points of electricity; what is fed back has one of its own. */
  electricity_meter_points: ElectricityMeterPoint[];
  /** Supply points of gas. */
  gas_meter_points: GasMeterPoint[];
}
/** A supply point of electricity. */
export interface ElectricityMeterPoint {
  /** 13 digits. */
  mpan: string;
  /** How consumption is spread over the day. */
  profile_class: number;
  /** Kilowatt-hours in a usual year. */
  consumption_standard: number;
  /** Whether it is for what is fed back. */
  is_export: boolean;
  /** The meter that hangs there. */
  meters: ElectricityMeter[];
  /** Oldest first. */
  agreements: Agreement[];
}
/** An electricity meter. */
export interface ElectricityMeter {
  /** As on the meter. */
  serial_number: string;
  /** What it counts. */
  registers: Register[];
}
/** A register of a meter. */
export interface Register {
  /** Names it on the meter. */
  identifier: string;
  /** What it is charged as. */
  rate: string;
  /** Whether the industry settles by it. */
  is_settlement_register: boolean;
}
/** A time on a tariff. */
export interface Agreement {
  /** As events name it. */
  id: number;
  /** Fuel, product and region. */
  tariff_code: string;
  /** Begin. */
  valid_from: string;
  /** End; null while it goes on. */
  valid_to: string | null;
}
/** A supply point of gas. */
export interface GasMeterPoint {
  /** 6 to 10 digits. */
  mprn: string;
  /** Kilowatt-hours in a usual year. */
  consumption_standard: number;
  /** The meter that hangs there. */
  meters: GasMeter[];
  /** Oldest first. */
  agreements: Agreement[];
}
/** A gas meter. */
export interface GasMeter {
  /** As on the meter. */
  serial_number: string;
}
/** Why a request was refused. */
export interface Error {
  /** For people; the wording may change. */
  detail: string;
  /** For programs: stable. */
  code: string;
  /** One for each problem in the request. */
  errors: ErrorItem[];
}
/** One problem in a request. */
export interface ErrorItem {
  /** For people; the wording may change. */
  detail: string;
  /** For programs: stable. */
  code: string;
  /** Dotted path to the input; numbers in it count from 0. */
  attr: string;
}
/** A GraphQL request. */
export interface GraphqlRequest {
  /** The document. */
  query: string;
  /** Which of its operations. */
  operationName?: string | null;
  /** Its variables. */
  variables?: {} | null;
}
/** A GraphQL answer. */
export interface GraphqlResponse {
  /** What was asked for. */
  data?: {} | null;
  /** What is wrong. */
  errors?: {
    /** For people. */
    message: string;
    /** Holds `code` for programs. */
    extensions?: {};
    [k: string]: unknown;
  }[];
}
