import { NAME_SEPARATOR } from '#kit/base/localized-text.ts'
import type { WireRow } from '#kit/resource/index.ts'
import type { role } from './role.resource.ts'
import { Alert, Tabs } from 'antd'
import { CheckboxTree } from '#kit/web/form/check-tree.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { SaveDrawer } from '#kit/web/detail/task-drawer.tsx'
import { isAdminAlias } from './index.ts'
import { GRANT_PARTS, useRoleGrants } from './use-grant.ts'

type Row = WireRow<typeof role>

const words = {
  title: { zh: '权限设置', en: 'Permissions' },
  menu: { zh: '菜单权限', en: 'Menus and buttons' },
  dataScope: { zh: '数据权限', en: 'Data scopes' },
  apiScope: { zh: '接口权限', en: 'API scopes' },
  several: {
    zh: '所选 {count} 个角色将获得相同的权限，各自原有的权限会被替换：{names}',
    en: '{count} {count|role|roles} will get the same permissions. Their current permissions are replaced: {names}',
  },
  mine: {
    zh: '您持有这个角色：除平台管理员外，不能修改自己持有的角色。',
    en: 'You hold this role. Only platform administrators can change a role they hold.',
  },
  noScopes: {
    zh: '还没有可授予的{label}，可在“{label}”页面按菜单新增。',
    en: 'No {label} to grant yet. Add them by menu on the “{label}” page.',
  },
}

/** Edits the grants of roles in three trees: menus with buttons, data scopes and API scopes. */
export default function RoleGrantsDialog({ roles, onClose }: { roles: Row[]; onClose: () => void }) {
  const t = useLocalize()
  const names = roles.map((row) => String(row.roleName))
  // Only administrators can revoke grants they do not hold themselves.
  const takesAll = useSession((session) => session.user?.roleName.split(',').some(isAdminAlias) ?? false)
  const { tree, isChanged, save, catchUp, error, isPending, retry, keysOf, setKeys } = useRoleGrants(roles)

  return (
    <SaveDrawer
      title={t(words.title)}
      subject={names.join(t(NAME_SEPARATOR))}
      size={720}
      what={t(words.title)}
      isChanged={isChanged}
      mayKeep={roles.length > 1}
      save={save}
      catchUp={catchUp}
      onClose={onClose}
      isPending={isPending}
      error={error}
      retry={retry}
    >
      <Notes roles={roles} names={names} />
      <Tabs
        items={GRANT_PARTS.map((part) => ({
          key: part,
          label: t(words[part]),
          children: tree?.[part].length ? (
            <CheckboxTree
              label={t(words[part])}
              nodes={tree[part]}
              value={keysOf(part)}
              linking={part === 'menu' ? undefined : 'leaves'}
              onChange={(ids) => setKeys(part, ids)}
              keepsBeyond={!takesAll}
              height={Math.max(260, innerHeight - 400)}
            />
          ) : (
            <p className="kit-quiet">{t(words.noScopes, { label: t(words[part]) })}</p>
          ),
        }))}
      />
    </SaveDrawer>
  )
}

function Notes({ roles, names }: { roles: Row[]; names: string[] }) {
  const t = useLocalize()
  const ids = new Set(roles.map((row) => String(row.id)))
  const holds = useSession((session) => session.user?.roleId.split(',').some((id) => ids.has(id)) ?? false)
  return (
    <>
      {roles.length > 1 && (
        <Alert
          className="kit-note"
          type="warning"
          showIcon
          title={t(words.several, { count: roles.length, names: names.join(', ') })}
        />
      )}
      {holds && <Alert className="kit-note" type="info" showIcon title={t(words.mine)} />}
    </>
  )
}
