import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { NAME_SEPARATOR } from '#kit/base/localized-text.ts'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import { CheckboxTree } from '#kit/web/form/check-tree.tsx'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { flattenTreeNodes, type TreeNode } from '#kit/web/inputs/tree-nodes.ts'
import { tenantPackage } from './tenant.resource.ts'

const words = {
  intro: {
    zh: '租户能用的菜单以产品包为限；没有产品包的租户不受限制',
    en: 'A tenant can only use menus of its package. Tenants without a package are not limited.',
  },
  menus: { zh: '菜单', en: 'Menus' },
  count: { zh: '{count} 个菜单', en: '{count} {count|menu|menus}' },
}

function useMenuTree() {
  const language = useLanguage()
  return useQuery({
    queryKey: ['menu-tree', language],
    queryFn: () => apiGet<TreeNode[]>('/api/blade-system/menu/tree', undefined, { quiet: true }),
    staleTime: 30_000,
  })
}

function MenusInput({ value, onChange, id, invalid }: InputProps) {
  const t = useLocalize()
  const { data, error, refetch } = useMenuTree()
  if (error && !data) return <ErrorNote title={t(kit.failedOptions)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} />
  return (
    <CheckboxTree
      id={id}
      label={t(words.menus)}
      nodes={data}
      value={String(value ?? '')
        .split(',')
        .filter(Boolean)}
      onChange={(ids) => onChange(ids.join(','))}
      invalid={invalid}
      height={360}
    />
  )
}

/** Shows the number of menus, and their names in a tooltip. */
function MenusCell({ value }: CellProps) {
  const t = useLocalize()
  const { data = [] } = useMenuTree()
  const ids = new Set(
    String(value ?? '')
      .split(',')
      .filter(Boolean),
  )
  const titles = flattenTreeNodes(data)
    .filter((node) => ids.has(node.id))
    .map((node) => node.title)
  return (
    <span className="kit-line" data-tip={titles.join(t(NAME_SEPARATOR))}>
      {t(words.count, { count: ids.size })}{' '}
      <span className="kit-quiet">{titles.slice(0, 6).join(t(NAME_SEPARATOR))}</span>
    </span>
  )
}

const { menuId } = tenantPackage.fields
const shown = {
  ...tenantPackage,
  // The menu tree takes the full width of the form.
  fields: {
    ...tenantPackage.fields,
    menuId: { ...menuId, label: words.menus, width: 420, sortable: false, wide: true },
  },
  list: { ...tenantPackage.list, columns: ['packageName', 'menuId', 'remark', 'createTime'] },
}

export default createResourcePage(shown, {
  intro: words.intro,
  inputs: { menuId: MenusInput },
  cells: { menuId: (props) => <MenusCell {...props} /> },
  formLayout: [{ fields: ['packageName', 'remark', 'menuId'] }],
})
