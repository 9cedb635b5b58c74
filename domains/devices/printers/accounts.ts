import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { feiePrinterVendor } from './feie.client.ts'
import type { PrinterVendor, PrinterVendorAccount, PrinterVendorName } from './vendor.ts'
import { printAccount } from './print-account.resource.ts'
import { xpyunPrinterVendor } from './xpyun.client.ts'
import { yilianyunPrinterVendor } from './yilianyun.client.ts'

type AccountRow = RowOf<typeof printAccount>

const makers: Readonly<Record<PrinterVendorName, PrinterVendor>> = {
  feie: feiePrinterVendor,
  yilianyun: yilianyunPrinterVendor,
  xpyun: xpyunPrinterVendor,
}

/** Returns the cloud vendor of a printer brand, undefined for local printers (ESC/POS). */
export const findPrinterVendor = (brand: string): PrinterVendor | undefined => makers[brand as PrinterVendorName]

/** Returns the address to which a vendor reports about this account. It contains the tenant and the account's id. */
export const printerVendorCallbackUrl = (
  { config }: Services,
  { tenantId, id }: Pick<AccountRow, 'tenantId' | 'id'>,
): string => `${config.publicUrl}/api/shop/printJob/report?account=${tenantId}-${id}`

/** Access tokens by account and version, as changed credentials make the old token useless. */
const tokens = new Map<string, string>()

/**
 * Decrypts an account and gives it a store for its access token. With `inside`, a new token is saved in that
 * transaction, else in one of its own.
 */
export function decryptPrinterVendorAccount(services: Services, row: AccountRow, inside?: Db): PrinterVendorAccount {
  const { id, tenantId } = row
  const key = `${id}/${row.version}`
  const { seal, open } = secretCipherOf(services)
  const keep = (token: string) => (db: Db) =>
    db.run(sql`update print_account set access_token = ${seal(token)} where tenant_id = ${tenantId} and id = ${id}`)
  return {
    user: row.user,
    secret: open(row.secretKey),
    endpoint: row.endpoint ?? undefined,
    mayBeInside: row.mayBeInside !== false,
    callback: row.callbackOn
      ? { url: printerVendorCallbackUrl(services, row), flag: row.callbackFlag ?? 1, key: row.callbackKey ?? '' }
      : undefined,
    token: {
      read: async () => tokens.get(key) ?? (row.accessToken ? open(row.accessToken) : ''),
      write: async (token) => {
        tokens.set(key, token)
        await (inside ? keep(token)(inside) : services.unit({ tenantId }, keep(token)))
      },
    },
  }
}

/** Returns the tenant's enabled account at the vendor of a brand, undefined without one. */
export async function findPrinterVendorAccountRow(db: Db, brand: string): Promise<AccountRow | undefined> {
  const [row] = await db.find(printAccount, sql`r.brand = ${brand} and r.enabled`, sql`order by r.id limit 1`)
  return row
}
