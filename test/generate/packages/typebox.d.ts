/** Schemas of TypeBox as far as types of this package are made of them; TypeBox itself is built in. */
export interface TSchema {
  readonly '~static'?: unknown;
}

export type Static<Schema extends TSchema> = Schema extends { readonly '~static': infer Value }
  ? Value
  : unknown;

type Properties = Readonly<Record<string, TSchema>>;

export interface TObject extends TSchema {
  readonly properties: Properties;
}

type OptionalName<P extends Properties> = {
  [Name in keyof P]: P[Name] extends { readonly '~optional': true } ? Name : never;
}[keyof P];

type Flat<T> = { [Name in keyof T]: T[Name] };

export declare namespace Type {
  interface TString {
    readonly '~static': string;
  }
  interface TNumber {
    readonly '~static': number;
  }
  interface TInteger {
    readonly '~static': number;
  }
  interface TBoolean {
    readonly '~static': boolean;
  }
  interface TLiteral<Value extends string | number | boolean> {
    readonly '~static': Value;
  }
  interface TUnknown {
    readonly '~static': unknown;
  }
  interface TUnsafe<Value> {
    readonly '~static': Value;
  }
  interface TNull {
    readonly '~static': null;
  }
  interface TArray<Item extends TSchema> {
    readonly '~static': Static<Item>[];
  }
  interface TTuple<Items extends readonly TSchema[]> {
    readonly '~static': { -readonly [At in keyof Items]: Static<Items[At]> };
  }
  interface TUnion<Members extends readonly TSchema[]> {
    readonly '~static': Static<Members[number]>;
  }
  interface TRecord<_Pattern extends string, Value extends TSchema> {
    readonly '~static': Record<string, Static<Value>>;
  }
  type TOptional<Schema extends TSchema> = Schema & { readonly '~optional': true };
  interface TObject<P extends Properties> {
    readonly '~static': Flat<
      { [Name in Exclude<keyof P, OptionalName<P>>]: Static<P[Name]> } & {
        [Name in OptionalName<P>]?: Static<P[Name]>;
      }
    >;
  }
}
