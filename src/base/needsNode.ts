/**
 * The entries of Node under the condition `browser`, for bundlers of pages. They show the name of a module that they cannot
 * resolve, whereas they would bundle an error that is thrown.
 *
 * @module
 */

// @ts-expect-error: there is no such module
export * from "./rxscribe needs Node: in a page, import 'rxscribe/browser' instead";
