import { randomBytes } from 'node:crypto'
import { defineGlobalSharedKey, type Json, type SharedStore } from '../shared/index.ts'

const secondsDefault = 60
const entryKey = defineGlobalSharedKey('ticket', 'an address without a session is read by a number nobody guesses')

/**
 * One-time tickets for URLs that a browser opens without headers, such as downloads: valid once, briefly, for one
 * purpose. They keep session tokens out of URLs, histories and logs.
 */
export function createOneTimeTickets(shared: SharedStore) {
  return {
    async issue(purpose: string, grant: Json, seconds = secondsDefault): Promise<string> {
      const ticket = randomBytes(24).toString('base64url')
      await shared.put(entryKey(ticket), { purpose, grant }, seconds)
      return ticket
    },
    /** Returns what the ticket grants; undefined if it was used, expired, invented or is for another purpose. */
    async redeem(purpose: string, ticket: string): Promise<Json | undefined> {
      if (!/^[\w-]{32}$/.test(ticket)) return undefined
      const entry = (await shared.take(entryKey(ticket))) as { purpose: string; grant: Json } | undefined
      return entry?.purpose === purpose ? entry.grant : undefined
    },
  }
}

export type OneTimeTickets = ReturnType<typeof createOneTimeTickets>
