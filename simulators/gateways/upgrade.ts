import { createPublicKey, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { BAD_CHECKSUM, BAD_PARAMETERS, BUSY, DONE, NOT_DOWNLOADED, OTHER } from './protocol.ts'
import type { Answer, Body, Command, DevicePayload, Method } from './protocol.ts'
import { sha256Of, type Download } from './speaker.ts'

/** Parses an Ed25519 public key: PEM, or base64 of the SubjectPublicKeyInfo or of the bare 32 bytes. */
export function upgradeKeyOf(text: string): KeyObject {
  if (text.includes('BEGIN')) return createPublicKey(text)
  const bytes = Buffer.from(text, 'base64')
  const spki = bytes.length === 32 ? Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes]) : bytes
  return createPublicKey({ key: spki, format: 'der', type: 'spki' })
}

type Image = { module: string; version: string; url: string; size: number; sha256: string; sig: string; at?: number }
type Surroundings = {
  fetchBytes: Download
  /** Undefined: every upgrade is refused. */
  key: KeyObject | undefined
  versionOf: (module: string) => string
  /** Restarts for command `id` and comes up with the new version; then calls `end`. */
  restart: (id: string, to: { module: string; version: string }, end: () => void) => void
}

const INSTALL_MS = 2_000

const isImage = (params: DevicePayload): params is DevicePayload & Image =>
  ['module', 'version', 'url', 'sha256', 'sig'].every((name) => typeof params[name] === 'string') &&
  typeof params.size === 'number' &&
  (params.at === undefined || typeof params.at === 'number')

/** Simulates upgrades: downloads the file and verifies size and signature before anything is changed. */
export function createUpgrades(body: Body, { fetchBytes, key, versionOf, restart }: Surroundings) {
  let isBusy = false

  function isTrue({ size, sha256, sig, version, module }: Image, bytes: Uint8Array): boolean {
    if (bytes.length !== size || sha256Of(bytes) !== sha256.toLowerCase() || !key) return false
    return verify(null, Buffer.from(`${sha256}|${version}|${module}`), key, Buffer.from(sig, 'base64'))
  }

  async function fetched(image: Image, id: string): Promise<Uint8Array | undefined> {
    body.progress(id, 'DOWNLOADING', 0)
    if (body.has('upgrade') === 'download') return undefined
    const bytes = await fetchBytes(image.url, image.size + 1)
    if (!bytes) return undefined
    body.progress(id, 'DOWNLOADING', 100)
    body.progress(id, 'DOWNLOADED')
    if (body.has('upgrade') === 'checksum') bytes[bytes.length >> 1]! ^= 1
    return bytes
  }

  function install(image: Image, id: string, end: (answer: Answer) => void): void {
    body.progress(id, 'INSTALLING')
    const before = versionOf(image.module)
    const rollsBack = body.has('upgrade') === 'rollback'
    body.clock.after(INSTALL_MS, () => {
      body.progress(id, 'REBOOTING')
      restart(id, { module: image.module, version: rollsBack ? before : image.version }, () => {
        isBusy = false
        body.act(rollsBack ? 'upgrade.rolledBack' : 'upgraded', { module: image.module, version: image.version })
        end(rollsBack ? { code: OTHER, msg: 'rolled back' } : { code: DONE })
      })
    })
  }

  async function run(image: Image, id: string, end: (answer: Answer) => void): Promise<void> {
    const fail = (code: number) => {
      isBusy = false
      end({ code })
    }
    const bytes = await fetched(image, id)
    if (!bytes) return fail(NOT_DOWNLOADED)
    body.progress(id, 'VERIFYING')
    if (!isTrue(image, bytes)) return fail(BAD_CHECKSUM)
    install(image, id, end)
  }

  return {
    powerCut: () => void (isBusy = false),
    methods: {
      'gw.upgrade': (params: DevicePayload, { id }: Command) => {
        if (!isImage(params)) return { code: BAD_PARAMETERS }
        if (isBusy) return { code: BUSY }
        return (end) => {
          if (versionOf(params.module) === params.version) return end({ code: DONE, msg: 'already there' })
          isBusy = true
          body.clock.after(Math.max(0, (params.at ?? 0) - body.serverTime()), () => void run(params, id, end))
        }
      },
    } satisfies Record<string, Method>,
  }
}
