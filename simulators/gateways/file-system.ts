/** An invented root file system, without access to the host's. */
export type FileSystem = {
  /** Returns the absolute path without dots; undefined when it does not exist. */
  find: (cwd: string, path: string) => string | undefined
  isFolder: (path: string) => boolean
  list: (path: string) => string[]
  read: (path: string) => string | undefined
}

const LOG_LINES = 4_000

const FILES: Record<string, string> = {
  '/etc/hostname': 'shop-gateway\n',
  '/etc/os-release': 'NAME="OpenWrt"\nVERSION="23.05.3"\nID="openwrt"\nPRETTY_NAME="OpenWrt 23.05.3"\n',
  '/etc/passwd': 'root:x:0:0:root:/root:/bin/ash\ngateway:x:1000:1000:gateway:/home/gateway:/bin/ash\n',
  '/etc/config/network': "config interface 'lan'\n\toption proto 'static'\n\toption ipaddr '192.168.8.1'\n",
  '/etc/config/gateway': "config gateway\n\toption relock '5'\n\toption held '60'\n",
  '/home/gateway/readme.txt': '门店网关\nShop gateway\n',
  '/proc/loadavg': '0.12 0.08 0.05 1/88 2231\n',
  '/proc/version': 'Linux version 5.15.150 (builder@buildhost)\n',
  '/var/log/messages': Array.from({ length: LOG_LINES }, (_, at) => logLine(at)).join(''),
}

export function logLine(at: number): string {
  const minute = String(Math.floor(at / 60) % 60).padStart(2, '0')
  return `Jan 31 04:${minute}:${String(at % 60).padStart(2, '0')} gateway daemon.info: door 1 contact ok, seq ${at}\n`
}

const folders = new Set(['/', '/tmp', '/root'])
for (const path of Object.keys(FILES))
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at))

export const fileSystem: FileSystem = {
  find(cwd, path) {
    const parts: string[] = []
    for (const part of `${path.startsWith('/') ? '' : `${cwd}/`}${path}`.split('/')) {
      if (part === '..') parts.pop()
      else if (part && part !== '.') parts.push(part)
    }
    const whole = `/${parts.join('/')}`
    return folders.has(whole) || Object.hasOwn(FILES, whole) ? whole : undefined
  },
  isFolder: (path) => folders.has(path),
  list(path) {
    const root = path === '/' ? '/' : `${path}/`
    const below = [...folders, ...Object.keys(FILES)].filter((one) => one !== path && one.startsWith(root))
    return [...new Set(below.map((one) => one.slice(root.length).split('/')[0]!).filter(Boolean))].toSorted((a, b) =>
      a.localeCompare(b),
    )
  },
  read: (path) => (Object.hasOwn(FILES, path) ? FILES[path] : undefined),
}
