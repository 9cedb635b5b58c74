import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import type { WechatAccount } from './accounts.ts'

export type Certificate = { serialNo: string; pem: string; expires: Date }
type CertificateCache = { loaded: number; keys: ReadonlyMap<string, { key: KeyObject; expires: Date }> }
type Load = () => Promise<Certificate[]>

const FRESH_MS = 12 * 3_600_000
/** Minimum ms between reloads, so that made-up serial numbers do not cause repeated loading. */
const AGAIN_MS = 60_000

/** Cached platform certificates by account. WeChat Pay replaces them a few times a year, with weeks of overlap. */
const certificates = new Map<string, CertificateCache>()

async function certificatesOf(
  { base, mark }: WechatAccount,
  now: Date,
  ageMs: number,
  load: Load,
): Promise<CertificateCache> {
  const name = `${base} ${mark}`
  const known = certificates.get(name)
  if (known && now.getTime() - known.loaded < ageMs) return known
  const list = await load()
  const keys = new Map(
    list.map(({ serialNo, pem, expires }) => [serialNo, { key: new X509Certificate(pem).publicKey, expires }]),
  )
  const fresh = { loaded: now.getTime(), keys }
  certificates.set(name, fresh)
  return fresh
}

/**
 * Returns the key that verifies WeChat Pay's signature, by the given serial number: its public key or a platform
 * certificate. Undefined if unknown.
 */
export async function findVerificationKey(
  account: WechatAccount,
  serialNo: string,
  now: Date,
  load: Load,
): Promise<KeyObject | undefined> {
  if (serialNo === account.publicKeyNo) return createPublicKey(account.publicKeyPem!)
  // A number of a foreign public key, or no serial number at all.
  if (!/^[0-9A-F]{8,64}$/i.test(serialNo)) return undefined
  const find = ({ keys }: CertificateCache) => {
    const found = keys.get(serialNo)
    return found && found.expires > now ? found.key : undefined
  }
  return (
    find(await certificatesOf(account, now, FRESH_MS, load)) ?? find(await certificatesOf(account, now, AGAIN_MS, load))
  )
}

/** Returns the key to encrypt for WeChat Pay: its public key, else the certificate that is valid longest. */
export async function findEncryptionKey(
  account: WechatAccount,
  now: Date,
  load: Load,
): Promise<{ serialNo: string; key: KeyObject }> {
  if (account.publicKeyNo) return { serialNo: account.publicKeyNo, key: createPublicKey(account.publicKeyPem!) }
  const { keys } = await certificatesOf(account, now, FRESH_MS, load)
  const [last] = [...keys].sort(([, a], [, b]) => b.expires.getTime() - a.expires.getTime())
  if (!last) throw new Error('WeChat Pay gave no certificate')
  return { serialNo: last[0], key: last[1].key }
}
