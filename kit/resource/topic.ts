import type { JsonObject } from '../base/json.ts'

declare const dataOf: unique symbol

/** A topic of live events: its name and, for the compiler, the data of its events. */
export type Topic<Data> = {
  readonly name: string
  readonly [dataOf]?: (data: Data) => Data
}

/**
 * Declares a topic once, for the server that publishes (`db.publish`) and pages that listen (`useLiveEvents`). Pages of
 * the version before are open during an upgrade: a new key of the data is optional.
 */
export const defineTopic = <Data extends JsonObject = Record<string, never>>(name: string): Topic<Data> => ({ name })

/** Ids of the rows that changed; without ids, any may have. */
export type RowsChanged = { ids?: string[] }

/**
 * Returns the topic of changes to a resource's rows. By name where a page stands below the resource's module; a test
 * checks the names.
 */
export const changedTopicOf = (resource: string | { name: string }): Topic<RowsChanged> => ({
  name: `${typeof resource === 'string' ? resource : resource.name}.changed`,
})
