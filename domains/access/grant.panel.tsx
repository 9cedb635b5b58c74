import { useQuery } from '@tanstack/react-query'
import { Alert, Tabs } from 'antd'
import { useState } from 'react'
import { CheckTree } from '#kit/web/form/check-tree.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { get, post } from '#kit/web/http.ts'
import { useLang, useSay } from '#kit/web/language.tsx'
import { mergeSets } from '#kit/web/form/merge-sets.ts'
import { useSession } from '#kit/web/session/session.ts'
import type { TreeNode } from '#kit/web/form/tree-nodes.ts'
import { WorkDrawer } from '#kit/web/detail/work-drawer.tsx'
import { menu } from './menu.resource.ts'
import { role } from './role.resource.ts'

type Part = 'menu' | 'dataScope' | 'apiScope'
type Keys = Record<Part, string[]>

const parts: Part[] = ['menu', 'dataScope', 'apiScope']

const words = {
  title: { zh: '权限设置', en: 'Grant rights' },
  menu: { zh: '菜单权限', en: 'Menus and buttons' },
  dataScope: { zh: '数据权限', en: 'Data scopes' },
  apiScope: { zh: '接口权限', en: 'API scopes' },
  several: {
    zh: '所选 {count} 个角色将获得相同的权限，各自原有的权限会被替换：{names}',
    en: 'These {count} roles get the same rights, in place of what each has now: {names}',
  },
  mine: {
    zh: '您持有该角色：除平台管理员外，不能修改自己持有的角色。',
    en: 'You hold this role: only administrators of the platform change a role they hold.',
  },
  noScopes: {
    zh: '还没有可授予的{label}，可在“{label}”页面按菜单新增。',
    en: 'There are no {label} to grant yet. Add them by menu on their own page.',
  },
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && new Set([...one, ...other]).size === one.length

/** What roles allow: menus with buttons, data scopes and API scopes, ticked in three trees. */
export default function GrantDialog({ roles, onClose }: { roles: Row[]; onClose: () => void }) {
  const say = useSay()
  const language = useLang()
  const roleIds = roles.map((row) => String(row.id))
  const holds = useSession((session) => session.user?.roleId.split(',').some((id) => roleIds.includes(id)) ?? false)
  const [changed, setChanged] = useState<Partial<Keys>>({})
  const tree = useQuery({
    queryKey: ['grant-tree', language],
    queryFn: () => get<Record<Part, TreeNode[]>>(`${menu.path}/grant-tree`, undefined, { quiet: true }),
  })
  const stored = useQuery({
    queryKey: ['role-tree-keys', roleIds.join(',')],
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: () => get<Keys>(`${menu.path}/role-tree-keys`, { roleIds }, { quiet: true }),
  })
  const keysOf = (part: Part) => changed[part] ?? stored.data?.[part] ?? []
  const isChanged = parts.some((part) => changed[part] && !isSame(changed[part], stored.data?.[part] ?? []))
  const names = roles.map((row) => String(row.roleName))

  const save = async () => {
    await post(`${role.path}/grant`, {
      body: {
        roleIds,
        menuIds: keysOf('menu'),
        dataScopeIds: keysOf('dataScope'),
        apiScopeIds: keysOf('apiScope'),
        was: stored.data,
      },
    })
  }
  const catchUp = async () => {
    const was = stored.data
    const now = (await stored.refetch()).data
    if (was && now)
      setChanged(
        Object.fromEntries(
          parts.flatMap((part) => (changed[part] ? [[part, mergeSets(changed[part], was[part], now[part])]] : [])),
        ),
      )
  }
  return (
    <WorkDrawer
      title={say(words.title)}
      subject={names.join(say({ zh: '、', en: ', ' }))}
      size={720}
      what={say(words.title)}
      isChanged={isChanged}
      mayKeep={roles.length > 1}
      save={save}
      catchUp={catchUp}
      onClose={onClose}
      isPending={tree.isPending || stored.isPending}
      error={tree.error ?? stored.error}
      retry={() => {
        void tree.refetch()
        void stored.refetch()
      }}
    >
      {roles.length > 1 && (
        <Alert
          className="kit-note"
          type="warning"
          showIcon
          title={say(words.several, { count: roles.length, names: names.join(', ') })}
        />
      )}
      {holds && <Alert className="kit-note" type="info" showIcon title={say(words.mine)} />}
      <Tabs
        items={parts.map((part) => ({
          key: part,
          label: say(words[part]),
          children: tree.data?.[part].length ? (
            <CheckTree
              label={say(words[part])}
              nodes={tree.data[part]}
              value={keysOf(part)}
              linking={part === 'menu' ? undefined : 'leaves'}
              onChange={(ids) => setChanged({ ...changed, [part]: ids })}
              height={Math.max(260, innerHeight - 400)}
            />
          ) : (
            <p className="kit-quiet">{say(words.noScopes, { label: say(words[part]) })}</p>
          ),
        }))}
      />
    </WorkDrawer>
  )
}
