import { expect, test } from 'vitest'
import { compileCustomScope } from '#kit/server/database/scope-grammar.ts'
import { anonymousCaller } from '#kit/server/request/pipeline.ts'
import { findScopeConditionFlaw } from './scope-grammar.ts'
import { role } from './role.resource.ts'

// A person in several departments, so that a condition for a single one shows no rows.
const caller = {
  ...anonymousCaller,
  userId: '1',
  tenantId: '000000',
  deptIds: ['1', '2'],
  roleIds: ['1', '2'],
  limits: { shop: ['1', '2'] },
}

const readable = [
  "role_alias = 'staff'",
  'create_dept in (${deptIds})',
  'create_dept in ${deptIds}',
  "create_user = ${userId} or (sort >= 3 and role_alias <> 'it''s')",
  'create_dept in (1, 2, ${deptId})',
  'sort < -1.5',
]
const unreadable = [
  '',
  "role_alias 'staff'",
  'role_alias =',
  "role_alias = 'open",
  'create_dept = ${deptIds}',
  'create_user = ${password}',
  'create_dept in (1,',
  "(role_alias = 'a'",
  "role_alias = 'a' role_alias = 'b'",
  '1 = 1',
  "role_alias = 'a' and",
  'drop table x',
  "role_alias = 'a'; delete",
  'create_dept in (1 2)',
  'create_user = (${userId})',
]

test.each(readable)('what the browser takes for a condition the server can follow: %s', (text) => {
  expect(findScopeConditionFlaw(text)).toBeUndefined()
  expect(compileCustomScope(role, text, caller)).toBeDefined()
})

test.each(unreadable)('what the server cannot follow the browser points out: %s', (text) => {
  expect(findScopeConditionFlaw(text)).toBeDefined()
  expect(compileCustomScope(role, text, caller)).toBeUndefined()
})
