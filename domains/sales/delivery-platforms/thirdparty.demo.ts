import type { Db } from '#kit/server/database/db.ts'
import { thirdApi } from './third-api.resource.ts'

/** Demo accounts at the two delivery platforms, without real secrets. */
export async function seed(db: Db): Promise<void> {
  const rows = [
    { name: '饿了么零售', platform: 'ele', appKey: `60${db.tenantId}`, remark: '合作方账号' },
    { name: '美团闪购', platform: 'meituan', appKey: `50${db.tenantId}`, remark: '开放平台应用' },
  ]
  for (const row of rows) await db.insert(thirdApi, { ...row, status: 1, hasSecret: false })
}
