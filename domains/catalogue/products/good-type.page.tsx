import { useQuery } from '@tanstack/react-query'
import { apiGet } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { withListFilters } from '#kit/web/list/list-state.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { TreeFilterPanel } from '#kit/web/list/side-tree.tsx'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { goodType } from './good-type.resource.ts'
import { changedTopicOf } from '#kit/resource/index.ts'

const words = {
  intro: {
    zh: '不属于门店的分类全部门店共用；也可以给一家门店单独建分类',
    en: 'Categories without a store are shared by all stores. A store can have its own.',
  },
  tree: { zh: '分类树', en: 'Category tree' },
  all: { zh: '全部分类', en: 'All categories' },
}

type Node = { id: string; title: string; children?: Node[] }

/** Tree of product types of a shop, or of all; choosing a node lists its direct children. */
function Tree({ list }: { list: ResourceList }) {
  const t = useLocalize()
  const shopId = list.state.filters.shopId
  const { data, error, refetch } = useQuery({
    queryKey: ['options', goodType.name, 'shop-tree', shopId ?? ''],
    queryFn: () =>
      apiGet<Node[]>(`${goodType.path}/tree`, { shopId: shopId?.includes(',') ? undefined : shopId }, { quiet: true }),
  })
  useLiveRefetch(changedTopicOf('goodType'), refetch)
  return (
    <TreeFilterPanel
      nodes={data}
      error={error}
      retry={() => void refetch()}
      value={list.state.filters.parentId ?? ''}
      label={t(words.tree)}
      all={t(words.all)}
      onChange={(id) => list.set((before) => withListFilters(before, { parentId: id }))}
    />
  )
}

/** Page of product types: the tree beside the list. */
export default function GoodTypePage() {
  return (
    <ResourcePage
      resource={goodType}
      page={{
        intro: words.intro,
        panel: (list) => <Tree list={list} />,
        preset: (list) => ({
          parentId: list.state.filters.parentId ?? '',
          shopId: list.state.filters.shopId?.includes(',') ? '' : (list.state.filters.shopId ?? ''),
        }),
      }}
    />
  )
}
