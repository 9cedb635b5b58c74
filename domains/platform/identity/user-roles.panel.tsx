import { NAME_SEPARATOR } from '#kit/base/localized-text.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useState } from 'react'
import { CheckboxTree } from '#kit/web/form/check-tree.tsx'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { mergeSetChanges } from '#kit/web/form/merge-sets.ts'
import { EmptyStateNote } from '#kit/web/parts/states.tsx'
import type { TreeNode } from '#kit/web/inputs/tree-nodes.ts'
import { SaveDrawer } from '#kit/web/detail/task-drawer.tsx'
import { user } from './user.resource.ts'

type Row = WireRow<typeof user>

const words = {
  title: { zh: '角色配置', en: 'Assign roles' },
  several: {
    zh: '所选 {count} 个用户将得到相同的角色，各自原有的角色会被替换。',
    en: '{count} {count|user|users} will get the same roles. Their current roles are replaced.',
  },
  mixed: { zh: '所选用户属于不同的租户', en: 'The selected users belong to different tenants' },
  mixedHint: {
    zh: '角色属于租户，请一次只选同一租户的用户。',
    en: 'Roles belong to a tenant. Select users of one tenant at a time.',
  },
}

const idsOf = (row: Row) =>
  String(row.roleId ?? '')
    .split(',')
    .filter(Boolean)

/** Assigns roles to one or several users. */
export default function UserRolesPanel({ users, onClose }: { users: Row[]; onClose: (done: boolean) => void }) {
  const t = useLocalize()
  const language = useLanguage()
  const tenantIds = [...new Set(users.map((row) => String(row.tenantId ?? '')))]
  const isOne = users.length === 1
  const [before, setBefore] = useState(isOne ? idsOf(users[0]!) : [])
  const [ticked, setTicked] = useState(before)
  const isMixed = tenantIds.length > 1
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['role-tree', language, tenantIds[0]],
    enabled: !isMixed,
    queryFn: () => apiGet<TreeNode[]>('/api/blade-system/role/tree', { tenantId: tenantIds[0] }, { quiet: true }),
  })
  const save = async () => {
    await apiPost(`${user.path}/grant`, {
      query: { userIds: users.map((row) => row.id), roleIds: ticked },
      ...(isOne && { body: { was: before } }),
    })
  }
  const catchUp = async () => {
    const now = idsOf(await apiGet<Row>(`${user.path}/detail`, { id: users[0]!.id }, { quiet: true }))
    setBefore(now)
    setTicked(mergeSetChanges(ticked, before, now))
  }
  return (
    <SaveDrawer
      title={t(words.title)}
      subject={users.map((row) => String(row.realName || row.account)).join(t(NAME_SEPARATOR))}
      size={520}
      what={t(user.fields.roleId.label)}
      isChanged={ticked.length !== before.length || ticked.some((id) => !before.includes(id))}
      save={save}
      catchUp={catchUp}
      onClose={onClose}
      isPending={isPending && !isMixed}
      error={error}
      retry={() => void refetch()}
    >
      {isMixed ? (
        <EmptyStateNote icon="exclamation-circle" title={t(words.mixed)} hint={t(words.mixedHint)} />
      ) : (
        <>
          {users.length > 1 && (
            <Alert className="kit-note" type="warning" showIcon title={t(words.several, { count: users.length })} />
          )}
          <CheckboxTree
            label={t(user.fields.roleId.label)}
            nodes={data ?? []}
            value={ticked}
            onChange={setTicked}
            linking="free"
            height={Math.max(240, innerHeight - 340)}
          />
        </>
      )}
    </SaveDrawer>
  )
}
