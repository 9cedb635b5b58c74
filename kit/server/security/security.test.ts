import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createPostgresSharedStore, sharedTablesSql } from '../shared/postgres-shared.ts'
import { scratchDatabase, type ScratchDatabase } from '#tests/support/scratch-database.ts'
import type { SharedStore } from '../shared/index.ts'
import {
  createCaptchas,
  createOneTimeTickets,
  createTokenService,
  hashPasswordMd5,
  hashPassword,
  jwtKeyTablesSql,
  md5Hex,
  needsRehash,
  openKeyring,
  rotateKeys,
  verifyPassword,
  type TokenIdentity,
} from './index.ts'

const identity: TokenIdentity = {
  tenant_id: '100001',
  user_id: '1123598821738675201',
  dept_id: '1,2',
  post_id: '3',
  role_id: '4',
  oauth_id: '',
  account: 'boss',
  user_name: 'boss',
  nick_name: '老王',
  real_name: '王建国',
  role_name: 'boss',
  client_id: 'saber',
}

describe('passwords', () => {
  it('are stored slowly hashed over the md5 the protocol sends', async () => {
    const stored = await hashPassword('口令 admin')
    expect(stored).toMatch(/^\$argon2id\$/)
    expect(await verifyPassword(md5Hex('口令 admin'), stored)).toBe(true)
    expect(await verifyPassword(md5Hex('口令 Admin'), stored)).toBe(false)
    expect(await verifyPassword(md5Hex('admin'), await hashPasswordMd5(md5Hex('admin')))).toBe(true)
  })

  it('never match the plain text, a missing account, or a spoilt row', async () => {
    expect(await verifyPassword('admin', await hashPassword('admin'))).toBe(false)
    expect(await verifyPassword(md5Hex('nobody'), undefined)).toBe(false)
    expect(await verifyPassword(md5Hex('admin'), '')).toBe(false)
    expect(await verifyPassword(md5Hex('admin'), md5Hex('admin'))).toBe(false)
  })

  it('stored at another cost are to be hashed again', async () => {
    expect(needsRehash(await hashPassword('admin'))).toBe(false)
    expect(needsRehash('$argon2id$v=19$m=4096,t=1,p=1$c2FsdHNhbHQ$aGFzaA')).toBe(true)
  })
})

describe('what servers share about sessions', () => {
  let database: ScratchDatabase
  let shared: SharedStore
  beforeAll(async () => {
    database = await scratchDatabase(sharedTablesSql + jwtKeyTablesSql)
    shared = createPostgresSharedStore(database.pool)
  })
  afterAll(async () => {
    await shared.close()
    await database.drop()
  })

  it('five processes that start at once agree on one first key', async () => {
    const rings = await Promise.all(Array.from({ length: 5 }, () => openKeyring(database.pool, shared)))
    expect(new Set(rings.map((ring) => ring.current().kid)).size).toBe(1)
    for (const ring of rings) ring.close()
  })

  it('a token of one process is good in another, with every claim, and no longer than it lives', async () => {
    const [here, elsewhere] = await Promise.all([
      openKeyring(database.pool, shared),
      openKeyring(database.pool, shared),
    ])
    let clock = new Date()
    const { token, claims } = await createTokenService(here, () => clock).signAccess(identity, {
      sid: 's1',
      lifeSeconds: 3600,
    })
    const tokens = createTokenService(elsewhere, () => clock)
    expect(await tokens.verifyAccess(token)).toMatchObject({
      ...identity,
      token_type: 'access_token',
      sid: 's1',
      jti: claims.jti,
    })
    clock = new Date(clock.getTime() + 3601_000)
    expect(await tokens.verifyAccess(token), 'remembered').toBeUndefined()
    expect(await createTokenService(elsewhere, () => clock).verifyAccess(token), 'fresh').toBeUndefined()
    here.close()
    elsewhere.close()
  })

  it('a refresh token is no access token and the other way round', async () => {
    const ring = await openKeyring(database.pool, shared)
    const tokens = createTokenService(ring)
    const access = await tokens.signAccess(identity, { sid: 's', lifeSeconds: 60 })
    const refresh = await tokens.signRefresh(identity, { sid: 's', lifeSeconds: 60 })
    expect(await tokens.verifyRefresh(access.token)).toBeUndefined()
    expect(await tokens.verifyAccess(refresh.token)).toBeUndefined()
    expect((await tokens.verifyRefresh(refresh.token))?.user_id).toBe(identity.user_id)
    ring.close()
  })

  it('what is forged, unsigned, of another issuer or no token at all is no session', async () => {
    const ring = await openKeyring(database.pool, shared)
    const tokens = createTokenService(ring)
    const { kid, secret } = ring.current()
    const exp = Math.floor(Date.now() / 1000) + 60
    const sign = (claims: object, header: object, key: Uint8Array) =>
      new SignJWT({ token_type: 'access_token', exp, ...claims })
        .setProtectedHeader({ alg: 'HS256', kid, ...header })
        .sign(key)
    const good = { iss: 'store-office', aud: 'store-office' }
    const none = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ ...good, exp, token_type: 'access_token' }))}.`
    const { token } = await tokens.signAccess(identity, { sid: 's', lifeSeconds: 60 })
    expect(await tokens.verifyAccess(await sign(good, {}, secret))).toBeDefined()
    const bad = [
      await sign(good, {}, Buffer.alloc(48)),
      await sign(good, { kid: 'unknown' }, secret),
      await sign({ ...good, iss: 'other' }, {}, secret),
      await sign({ ...good, aud: 'other' }, {}, secret),
      await sign({ ...good, nbf: exp }, {}, secret),
      none,
      `${token.slice(0, -3)}abc`,
      '',
      'a.b.c',
      'x'.repeat(100_000),
    ]
    for (const one of bad) expect(await tokens.verifyAccess(one), one.slice(0, 40)).toBeUndefined()
    ring.close()
  })

  it('after a rotation new tokens have a new key in every process and old ones are still good', async () => {
    const [here, elsewhere] = await Promise.all([
      openKeyring(database.pool, shared),
      openKeyring(database.pool, shared),
    ])
    const old = await createTokenService(here).signAccess(identity, { sid: 's', lifeSeconds: 60 })
    const before = here.current().kid
    await rotateKeys(database.pool, { shared })
    await vi.waitFor(() => expect(elsewhere.current().kid).not.toBe(before))
    await vi.waitFor(() => expect(here.current().kid).toBe(elsewhere.current().kid))
    expect(await createTokenService(elsewhere).verifyAccess(old.token)).toBeDefined()
    here.close()
    elsewhere.close()
  })

  it('a retired key past the longest life of a token verifies nothing, and a leaked one at once', async () => {
    const ring = await openKeyring(database.pool, shared)
    const kid = ring.current().kid
    await database.pool.query("update jwt_key set retire_time = now() - interval '40 days' where kid <> $1", [kid])
    expect(await rotateKeys(database.pool, { shared })).toEqual({ verifying: 2 })
    await vi.waitFor(() => expect(ring.current().kid).not.toBe(kid))
    expect(await ring.find(kid)).toBeDefined()
    expect(await rotateKeys(database.pool, { shared, endSessions: true })).toEqual({ verifying: 1 })
    await vi.waitFor(async () => expect(await ring.find(kid)).toBeUndefined())
    ring.close()
  })

  it('a captcha is a picture of five letters, read in any case, good once, right or wrong', async () => {
    const captchas = createCaptchas(shared)
    const { key, image } = await captchas.draw()
    expect(image).toMatch(/^data:image\/svg\+xml;base64,/)
    expect(Buffer.from(image.split(',')[1]!, 'base64').toString()).toMatch(/^<svg [^>]*width="130" height="48"/)
    const text = (await captchas.reveal(key))!
    expect(text).toHaveLength(5)
    expect(await captchas.check(key, ` ${text.toUpperCase()} `)).toBe(true)
    expect(await captchas.check(key, text)).toBe(false)
    const second = await captchas.draw()
    const right = (await captchas.reveal(second.key))!
    expect(await captchas.check(second.key, 'wrong')).toBe(false)
    expect(await captchas.check(second.key, right)).toBe(false)
    expect(await captchas.check('', '')).toBe(false)
    expect(await captchas.check('invented', 'abcde')).toBe(false)
  })

  it('a ticket is good once and for its purpose alone', async () => {
    const tickets = createOneTimeTickets(shared)
    const ticket = await tickets.issue('download', { file: 7 })
    const answers = await Promise.all(Array.from({ length: 10 }, () => tickets.redeem('download', ticket)))
    expect(answers.filter(Boolean)).toEqual([{ file: 7 }])
    expect(await tickets.redeem('export', await tickets.issue('download', 1))).toBeUndefined()
    expect(await tickets.redeem('download', 'x'.repeat(32))).toBeUndefined()
    expect(await tickets.redeem('download', "'; drop table")).toBeUndefined()
  })
})
