/**
 * Protection against server-side request forgery: URLs entered by people must lead to public addresses. A name is
 * resolved once, by the connection itself, and the resulting address is checked before anything is sent, so a changed
 * DNS answer is no way around it.
 */
import { lookup as lookupNames, type LookupAddress } from 'node:dns'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const INNER_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa|in-addr\.arpa|ip6\.arpa)$/i

/**
 * Networks that are not public: local, private, link-local, carrier-grade NAT, documentation, multicast, and IPv4
 * embedded in IPv6.
 */
const INNER: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]
/** Addresses of cloud metadata services outside those networks. */
const METADATA = ['100.100.100.200', '168.63.129.16', 'fd00:ec2::254']

const ipVersionOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')
/**
 * One list for each IP version: a single list would also compare IPv4 addresses with the IPv6 ranges that embed all of
 * IPv4.
 */
const inner = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [network, prefix] of INNER) inner[ipVersionOf(network)].addSubnet(network, prefix, ipVersionOf(network))
for (const address of METADATA) inner[ipVersionOf(address)].addAddress(address, ipVersionOf(address))

/**
 * Returns the key by which client addresses are counted: an IPv4 address, or the /64 prefix of IPv6, which one
 * subscriber has.
 */
export function networkPrefixOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)
  if (mapped) return mapped[1]!
  if (!address.includes(':')) return address
  const [before, after] = address.split('::').map((part) => part.split(':').filter(Boolean)) as [string[], string[]?]
  const zeros = after ? Math.max(0, 8 - before.length - after.length) : 0
  return [...before, ...Array<string>(zeros).fill('0'), ...(after ?? [])].slice(0, 4).join(':')
}

/** Whether an IP address is not public. Also true for anything that is not an IP address. */
export function isPrivateIp(address: string): boolean {
  const [plain = ''] = address.split('%', 1)
  return !isIP(plain) || inner[ipVersionOf(plain)].check(plain, ipVersionOf(plain))
}

function withoutLastDots(name: string): string {
  let end = name.length
  while (name[end - 1] === '.') end--
  return name.slice(0, end)
}

/**
 * Host of a URL as a connection would see it: full-width dots, octal numbers, capitals and the final dot normalised.
 */
function hostOf(address: string): string | undefined {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const host = withoutLastDots(url.hostname.replace(/^\[|\]$/g, ''))
  // Without the final dot it may turn out to be a number: "127.1.".
  const again =
    host && !host.includes(':') && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host
  return again || undefined
}

/** Whether a URL's host is not public by its name or number alone; DNS is checked when connecting. */
export function isPrivateUrl(address: string): boolean {
  const host = hostOf(address)
  if (!host) return true
  if (isIP(host)) return isPrivateIp(host)
  return !host.includes('.') || INNER_NAME.test(host)
}

/** A URL led to a non-public address. The address appears only in the server's log. */
class PrivateAddressError extends Error {
  readonly code = 'INNER_ADDRESS'
}

type Resolve = (
  host: string,
  options: { all: true; family?: number; hints?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Creates a DNS lookup that fails if any of the resolved addresses is not public. */
export const createPublicLookup =
  (resolve: Resolve = lookupNames): LookupFunction =>
  (host, options, done) => {
    const give = done as (error: Error | null, address?: string | LookupAddress[], ipVersion?: number) => void
    resolve(
      host,
      { all: true, family: typeof options.family === 'number' ? options.family : 0, hints: options.hints ?? 0 },
      (error, addresses) => {
        if (error) return give(error)
        const wrong = addresses.find(({ address }) => isPrivateIp(address))
        if (wrong || !addresses.length)
          return give(new PrivateAddressError(`${host} is ${wrong?.address ?? 'nowhere'}`))
        if (options.all) return give(null, addresses)
        give(null, addresses[0]!.address, addresses[0]!.family)
      },
    )
  }

/**
 * HTTP agents that connect only to public addresses. Numeric addresses are never resolved, so they are checked before
 * connecting.
 */
export function createEgressAgents(resolve?: Resolve): { http: HttpAgent; https: HttpsAgent } {
  const lookup = createPublicLookup(resolve)
  const guard = <A extends HttpAgent>(agent: A): A => {
    const connect = agent.createConnection.bind(agent)
    agent.createConnection = ((options: { host?: string | null }, ...rest: unknown[]) => {
      const host = String(options.host ?? '').replace(/^\[|\]$/g, '')
      if (!host || isPrivateUrl(isIP(host) === 6 ? `http://[${host}]` : `http://${host}`))
        throw new PrivateAddressError(`${host} lies inside`)
      return (connect as (...all: unknown[]) => unknown)(options, ...rest)
    }) as typeof agent.createConnection
    return agent
  }
  const settings = { keepAlive: true, maxSockets: 50, timeout: 60_000, lookup }
  return { http: guard(new HttpAgent(settings)), https: guard(new HttpsAgent(settings)) }
}

let shared: ReturnType<typeof createEgressAgents> | undefined
/** The agents shared by the process. */
export const sharedEgressAgents = () => (shared ??= createEgressAgents())

/** Error codes of connections that were never established. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'INNER_ADDRESS',
  'CERT_HAS_EXPIRED',
])

/** Whether the request certainly had no effect on the other side, as it was never sent. */
export const isUnsentRequestError = (error: unknown): boolean =>
  UNSENT.has(String((error as { code?: unknown } | null | undefined)?.code))

type OutsideFailure = 'timeout' | 'unreachable'

/**
 * Classifies a failed request for display to people: messages of sockets and resolvers would reveal internal addresses.
 */
export function classifyExternalFailure(error: unknown): OutsideFailure {
  const { name = '', code = '' } = (error ?? {}) as { name?: string; code?: string }
  return /timeout|abort/i.test(name) || /TIMEDOUT|TIMEOUT/.test(String(code)) ? 'timeout' : 'unreachable'
}
