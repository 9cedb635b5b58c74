import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isPrivateUrl, isPrivateIp } from '#kit/server/request/egress.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import './refusals.ts'

/** Where data sources may be: private networks the operator opened (`inside`) and permitted ports. */
type Open = { inside: readonly string[]; ports: readonly number[] }
export type ResolveHost = (host: string) => Promise<readonly { address: string }[]>

const PORTS = [5432, 3306]

export const allowedSourceNetworks = ({ config }: Pick<Services, 'config'>): Open => ({
  inside: config.sourceNetworks ?? [],
  ports: config.sourcePorts?.length ? config.sourcePorts : PORTS,
})

const resolveAll: ResolveHost = (host) => lookup(host, { all: true })

/** Whether the operator opened the private network of an address. */
function isOpened(address: string, { inside }: Open): boolean {
  const plain = ipaddr.process(address)
  return inside.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(
      network.includes('/') ? network : `${network}/${isIP(network) === 6 ? 128 : 32}`,
    )
    return plain.kind() === base.kind() && plain.match(base, bits)
  })
}

/** Whether a connection may go to this address: public ones, and networks the operator opened. */
export function isAllowedSourceAddress(address: string, open: Open): boolean {
  const [plain = ''] = address.split('%', 1)
  if (!ipaddr.isValid(plain)) return false
  if (isOpened(plain, open)) return true
  return ipaddr.process(plain).range() === 'unicast' && !isPrivateIp(plain)
}

export function requireAllowedSourcePort(port: number, open: Open): void {
  if (!open.ports.includes(port))
    throw new Refused('source_port', { port, ports: open.ports.join(', ') }, { field: 'port' })
}

/** Refuses a host that is visibly private. What a name resolves to is checked when connecting. */
export function requireAllowedSourceHost(host: string, open: Open): void {
  const isAddress = ipaddr.isValid(host) && isIP(host) > 0
  // Once private networks are open, names without dots may be hosts in them.
  const isWrong = isAddress
    ? !isAllowedSourceAddress(host, open)
    : isPrivateUrl(host) && !(open.inside.length && /[a-z]/i.test(host))
  if (isWrong) throw new Refused('source_inside', { host }, { field: 'host' })
}

/** Resolves a host once and returns the address to connect to. Refuses if any of its addresses is not allowed. */
export async function resolveAllowedAddress(
  host: string,
  open: Open,
  resolve: ResolveHost = resolveAll,
): Promise<string> {
  const found = await resolve(host)
  const wrong = found.find(({ address }) => !isAllowedSourceAddress(address, open))
  if (wrong || !found.length) throw new Refused('source_inside', { host }, { field: 'host' })
  return found[0]!.address
}
