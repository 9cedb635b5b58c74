import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import type { EslProvider, EslAccount } from './esl-provider.ts'
import { cloudEslProvider } from './cloud-esl.client.ts'
import { openEPaperLinkProvider } from './open-epaper-link.client.ts'
import type { tagAccount } from './tag-account.resource.ts'

export type TagAccountRow = RowOf<typeof tagAccount>

const carriers: Readonly<Record<string, EslProvider>> = {
  openEPaperLink: openEPaperLinkProvider,
  cloudEsl: cloudEslProvider,
}

export const eslProviderOf = ({ brand }: Pick<TagAccountRow, 'brand'>): EslProvider => carriers[brand]!

/** Decrypts an account and gives it a store for its access token. */
export function decryptTagAccount(services: Services, row: TagAccountRow): EslAccount {
  const { id, tenantId, version } = row
  const { seal, open } = secretCipherOf(services)
  let token = row.accessToken ? open(row.accessToken) : ''
  return {
    endpoint: row.endpoint,
    user: row.user ?? '',
    secret: row.secretKey ? open(row.secretKey) : '',
    storeNo: row.storeNo ?? '',
    font: row.font ?? '',
    mayBeInside: row.mayBeInside === true,
    token: {
      read: async () => token,
      write: async (given) => {
        token = given
        // Saved only while the row has the credentials it was issued for.
        const keep = (db: Db) =>
          db.run(sql`update tag_account set access_token = ${seal(given)} where tenant_id = ${tenantId}
            and id = ${id} and version = ${version}`)
        await services.unit({ tenantId }, keep)
      },
    },
  }
}
