import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import type { Db } from '#kit/server/database/db.ts'
import { seedRow } from '#kit/server/database/seed-row.ts'
import { deterministicId } from '#kit/server/database/snowflake.ts'
import { dept } from './dept.resource.ts'
import { post } from './post.resource.ts'

export { loadAssignmentOptions } from './choices.ts'
export { offerSignInChoices } from './offered.ts'

/** Id of the first platform administrator's department. */
export const platformRootDeptId = deterministicId('dept:root')
/** Id of the first platform administrator's post. */
export const platformFirstPostId = deterministicId('post:ceo')

/** Creates the first department and post of a tenant. Returns their ids. */
export async function createFirstDeptAndPost(db: Db, tenantName: string): Promise<{ deptId: string; postId: string }> {
  const first = await db.insert(dept, {
    deptName: tenantName,
    fullName: tenantName,
    parentId: '0',
    ancestors: '0',
    deptCategory: 1,
    sort: 2,
  })
  const head = await db.insert(post, { category: 1, postCode: 'ceo', postName: '首席执行官', sort: 1 })
  return { deptId: first.id, postId: head.id }
}

/** Seeds the management tenant's department and post. */
export async function seedOrganisation(db: Db): Promise<void> {
  await db.asTenant(MANAGEMENT_TENANT, async (own) => {
    await seedRow(own, dept, platformRootDeptId, {
      deptName: '平台总部',
      fullName: '平台总部',
      parentId: '0',
      ancestors: '0',
      deptCategory: 1,
      sort: 1,
    })
    await seedRow(own, post, platformFirstPostId, { category: 1, postCode: 'ceo', postName: '首席执行官', sort: 1 })
  })
}
