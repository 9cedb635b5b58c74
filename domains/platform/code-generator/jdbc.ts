import { MYSQL_DRIVER_CLASS, POSTGRES_DRIVER_CLASS } from './dictionaries.ts'

/** Location of a database, parsed from a JDBC URL. */
type JdbcLocation = {
  driverClass: string
  host: string
  port: number
  databaseName: string
  schemaName?: string
  useTls?: boolean
}

const KINDS = {
  mysql: { driverClass: MYSQL_DRIVER_CLASS, port: 3306 },
  mariadb: { driverClass: MYSQL_DRIVER_CLASS, port: 3306 },
  postgresql: { driverClass: POSTGRES_DRIVER_CLASS, port: 5432 },
} as const
const ADDRESS_MAX = 1000
const ADDRESS = new RegExp(
  '^jdbc:(mysql|mariadb|postgresql)://' +
    String.raw`(\[[0-9A-Fa-f:.]{2,45}\]|[^/:?,@[\]]{1,253})(?::(\d{1,5}))?/([^/?#]{1,64})(?:\?(.*))?$`,
  's',
)

/**
 * Parses `jdbc:mysql://host:port/name?…`, as older clients send it; undefined when unreadable. Reads only schema and
 * TLS from the parameters: others could make a driver read files.
 */
export function parseJdbcUrl(address: string): JdbcLocation | undefined {
  if (address.length > ADDRESS_MAX) return undefined
  const found = ADDRESS.exec(address.trim().replaceAll('&amp;', '&'))
  if (!found) return undefined
  const [, kind, host, port, name, query = ''] = found
  const { driverClass, port: usual } = KINDS[kind as keyof typeof KINDS]
  const parameters = new URLSearchParams(query)
  const schemaName = driverClass === POSTGRES_DRIVER_CLASS ? parameters.get('currentSchema')?.split(',')[0] : undefined
  const tls =
    parameters.get('ssl') ?? parameters.get('useSSL') ?? parameters.get('sslmode') ?? parameters.get('sslMode')
  return {
    driverClass,
    host: host!.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : usual,
    databaseName: decoded(name!),
    ...(schemaName && { schemaName }),
    ...(tls !== null && {
      useTls: /^(true|require|verify-ca|verify-full|required|verify_ca|verify_identity)$/i.test(tls),
    }),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
