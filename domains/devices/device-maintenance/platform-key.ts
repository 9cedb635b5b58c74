import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign, timingSafeEqual } from 'node:crypto'
import { sql } from '#kit/server/database/db.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import type { Services } from '#kit/server/module/services.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'

/** Keys of the installation: one signs programs for devices, one the addresses they are downloaded from. */
export const platformKeyTable = defineTable({
  name: 'platform_key',
  tenancy: 'platform',
  primaryKey: ['name'],
  secret: ['sealed'],
  columns: {
    name: 'text not null',
    public_part: 'text not null',
    sealed: 'text not null',
    create_time: 'timestamptz(3) not null default now()',
  },
})

type Kind = 'program' | 'address'
type Pair = { publicPart: string; secret: string }

const make: Record<Kind, () => Pair> = {
  program: () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    return {
      publicPart: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      secret: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    }
  },
  address: () => ({ publicPart: '', secret: randomBytes(32).toString('base64') }),
}

const known = new WeakMap<Services, Map<Kind, Pair>>()

/** Returns a key pair, created by the first process that needs it. */
async function keyOf(services: Services, kind: Kind): Promise<Pair> {
  const mine = known.get(services) ?? new Map<Kind, Pair>()
  known.set(services, mine)
  const hit = mine.get(kind)
  if (hit) return hit
  const secrets = secretCipherOf(services)
  const fresh = make[kind]()
  const row = await services.unit(
    { crossTenantReason: 'the keys of the installation belong to no tenant' },
    async (db) => {
      await db.run(sql`insert into platform_key (name, public_part, sealed)
      values (${kind}, ${fresh.publicPart}, ${secrets.seal(fresh.secret)}) on conflict do nothing`)
      return db.one<{ publicPart: string; sealed: string }>(
        sql`select public_part, sealed from platform_key where name = ${kind}`,
      )
    },
  )
  const pair = { publicPart: row!.publicPart, secret: secrets.open(row!.sealed) }
  mine.set(kind, pair)
  return pair
}

/** Signing functions. Load them before a transaction, as the first load opens one of its own. */
export type PlatformKeys = Awaited<ReturnType<typeof loadPlatformKeys>>

export async function loadPlatformKeys(services: Services) {
  const program = await keyOf(services, 'program')
  const address = Buffer.from((await keyOf(services, 'address')).secret, 'base64')
  const macOf = (what: string, until: number) =>
    createHmac('sha256', address).update(`${what}|${until}`).digest('base64url')
  return {
    /** Public key (PEM) that device makers build in. Devices install only programs signed with its private key. */
    programKey: program.publicPart,
    /** Ed25519 over `sha256|version|module`, in base64. */
    signProgram: ({ sha256, version, module }: { sha256: string; version: string; module: string }): string =>
      sign(null, Buffer.from(`${sha256}|${version}|${module}`), createPrivateKey(program.secret)).toString('base64'),
    /** Signs an address that is valid until then, in milliseconds since 1970. */
    signAddress: macOf,
    isSigned: (what: string, until: number, given: string): boolean => {
      if (!Number.isSafeInteger(until) || until < services.now().getTime()) return false
      const [wanted, got] = [Buffer.from(macOf(what, until)), Buffer.from(given)]
      return got.length === wanted.length && timingSafeEqual(got, wanted)
    },
  }
}
