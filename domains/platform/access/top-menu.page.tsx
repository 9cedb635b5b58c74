import { NAME_SEPARATOR } from '#kit/base/localized-text.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { CheckboxTree } from '#kit/web/form/check-tree.tsx'
import {
  tenantCellOverrides,
  renderTenantFilter,
  tenantInputOverrides,
  useTenantAwareResource,
} from '#kit/web/page/for-tenant.tsx'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { mergeSetChanges } from '#kit/web/form/merge-sets.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { createSortOrderCell } from '#kit/web/list/sort-cell.tsx'
import type { TreeNode } from '#kit/web/inputs/tree-nodes.ts'
import { SaveDrawer } from '#kit/web/detail/task-drawer.tsx'
import { menu } from './menu.resource.ts'
import { topMenu } from './top-menu.resource.ts'

type Row = WireRow<typeof topMenu>

const words = {
  intro: {
    zh: '顶栏上的入口；点开后侧边栏只显示为它选定的菜单',
    en: 'Entries of the top bar. Each shows only the menus selected for it in the sidebar.',
  },
  setting: { zh: '菜单配置', en: 'Select menus' },
}

const shown = {
  ...topMenu,
  list: { ...topMenu.list, columns: ['name', 'tenantId', 'code', 'path', 'sort'] },
}

function NameCell({ row }: CellProps<Row>) {
  const language = useLanguage()
  return (
    <span className="kit-named">
      <Icon name={String(row.source ?? '')} /> {String((language === 'en' && row.nameEn) || row.name)}
    </span>
  )
}

const cells = {
  ...tenantCellOverrides,
  name: (props: CellProps<Row>) => <NameCell {...props} />,
  sort: createSortOrderCell(topMenu),
}

export default function TopMenuPage() {
  const maySet = useHasPermission('topmenu_setting')
  const resource = useTenantAwareResource(shown)
  const [setting, setSetting] = useState<Row[]>()
  return (
    <>
      <ResourcePage
        resource={resource}
        page={{
          intro: words.intro,
          cells,
          head: renderTenantFilter,
          inputs: tenantInputOverrides,
          rowActions: (row) =>
            maySet ? [{ key: 'setting', label: words.setting, icon: 'setting', run: () => setSetting([row]) }] : [],
          many: maySet
            ? (rows) => [{ key: 'setting', label: words.setting, icon: 'setting', run: () => setSetting(rows) }]
            : undefined,
        }}
      />
      {setting && <SettingDrawer rows={setting} onClose={() => setSetting(undefined)} />}
    </>
  )
}

function SettingDrawer({ rows, onClose }: { rows: Row[]; onClose: () => void }) {
  const t = useLocalize()
  const language = useLanguage()
  const ids = rows.map((row) => String(row.id))
  const [ticked, setTicked] = useState<string[]>()

  const tree = useQuery({
    queryKey: ['grant-top-tree', language],
    queryFn: () => apiGet<{ menu: TreeNode[] }>(`${menu.path}/grant-top-tree`, undefined, { quiet: true }),
  })
  const stored = useQuery({
    queryKey: ['top-tree-keys', ids.join(',')],
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: () => apiGet<{ menu: string[] }>(`${menu.path}/top-tree-keys`, { topMenuIds: ids }, { quiet: true }),
  })

  const value = ticked ?? stored.data?.menu ?? []
  const before = stored.data?.menu ?? []
  const catchUp = async () => {
    const now = (await stored.refetch()).data
    if (now) setTicked(mergeSetChanges(value, before, now.menu))
  }

  return (
    <SaveDrawer
      title={t(words.setting)}
      subject={rows.map((row) => String(row.name)).join(t(NAME_SEPARATOR))}
      what={t(words.setting)}
      isChanged={!!ticked && (ticked.length !== before.length || ticked.some((id) => !before.includes(id)))}
      mayKeep={rows.length > 1}
      save={async () => {
        await apiPost(`${topMenu.path}/grant`, { body: { topMenuIds: ids, menuIds: value, was: stored.data } })
      }}
      catchUp={catchUp}
      onClose={onClose}
      isPending={tree.isPending || stored.isPending}
      error={tree.error ?? stored.error}
      retry={() => {
        void tree.refetch()
        void stored.refetch()
      }}
    >
      <CheckboxTree
        label={t(menu.label)}
        nodes={tree.data?.menu ?? []}
        value={value}
        onChange={setTicked}
        height={Math.max(260, innerHeight - 320)}
      />
    </SaveDrawer>
  )
}
