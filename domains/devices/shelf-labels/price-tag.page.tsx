import type { WireRow } from '#kit/resource/index.ts'
import { Button, Segmented } from 'antd'
import { useState, type ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { toast } from '#kit/web/base/toast.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { priceTag } from './price-tag.resource.ts'
import { BIND_TAG_LABEL, BindDialog } from './bind-tag.panel.tsx'
import { TagPicture } from './tag-picture.tsx'
import { hasShownTagContent } from './tag-templates.ts'
import './tags.css'

type Row = WireRow<typeof priceTag>

const words = {
  intro: {
    zh: '货架上的电子价签：改价或改名后，同店同条码的价签自动排队更新',
    en:
      'Electronic shelf labels. When a price or name changes, all tags of that barcode in the store are ' +
      'queued for an update.',
  },
  byGoods: { zh: '按商品', en: 'By product' },
  tags: { zh: '全部价签', en: 'All ESL tags' },
  waiting: { zh: '待更新', en: 'Update pending' },
  failed: { zh: '更新失败', en: 'Update failed' },
  show: { zh: '显示', en: 'Show' },
  ofGoods: { zh: '价签', en: 'Tags' },
  flash: { zh: '闪灯寻找', en: 'Flash LED' },
  flashed: { zh: '价签 {tagId} 正在闪灯', en: 'Tag {tagId} is flashing' },
  battery: { zh: '电量 {battery}%', en: '{battery}% battery' },
}

type Tag = {
  id: string
  tagId: string
  status: number
  statusName: string
  shownPrice: string
  wantedPrice: string
  battery: number
}

/** Goods as `list2` returns them, with their tags. */
type Good = WireRow<typeof goodInfo> & { tags?: readonly Tag[] }

function TagsCell({ tags }: { tags: readonly Tag[] }) {
  const t = useLocalize()
  return (
    <span className="goods-tags">
      {tags.map((tag) => (
        <span
          key={tag.id}
          className="goods-tag"
          data-tip={tag.battery >= 0 ? t(words.battery, { battery: tag.battery }) : undefined}
        >
          <span className="kit-number">{tag.tagId}</span>
          <DictTag code="price_tag_status" value={tag.status} label={tag.statusName} />
          {tag.status !== 1 && tag.shownPrice && tag.shownPrice !== tag.wantedPrice && (
            <small>
              ¥{tag.shownPrice} → ¥{tag.wantedPrice}
            </small>
          )}
        </span>
      ))}
    </span>
  )
}

function ShownPicture({ value, row }: CellProps<Row>) {
  if (!hasShownTagContent(value)) return <span className="kit-quiet">—</span>
  return <TagPicture template={String(row.template)} content={value} model={String(row.model)} />
}

const known = (value: unknown) => value !== -1 && value !== '' && value !== undefined
function ShownCell({ value, row }: CellProps<Row>) {
  if (!known(value)) return <span className="kit-quiet">—</span>
  return (
    <span className={`kit-number ${known(row.wantedPrice) && value !== row.wantedPrice ? 'tag-behind' : ''}`}>
      ¥{String(value)}
    </span>
  )
}

/** Goods with the tags that show them, as a read-only resource for the list. */
const byGoods = {
  ...goodInfo,
  name: priceTag.name,
  // Nobody has this permission, so the list offers no editing.
  code: 'priceTag/list2',
  path: priceTag.path,
  label: priceTag.label,
  actions: {},
  buttons: { add: false, edit: false, delete: false, view: false, export: false, import: false },
  list: {
    ...goodInfo.list,
    path: 'list2',
    columns: ['name', 'upc', 'salePrice', 'vipPrice', 'shopId', 'shelfNo'],
    sort: 'shelfNo',
  },
}

const cells = {
  shownPrice: (props: CellProps<Row>) => <ShownCell {...props} />,
  shownContent: (props: CellProps<Row>) => <ShownPicture {...props} />,
}

/** Price tags, by goods or one by one. */
export default function PriceTagPage() {
  const [query, setQuery] = useSearchParams()
  const [isBinding, setBinding] = useState<Good | true>()
  const view = query.get('view') ?? (query.has('status') ? 'tags' : 'goods')
  const status = view === 'waiting' ? '2' : view === 'failed' ? '3' : undefined
  const head = () => <Views value={view} onChange={(next) => setQuery(next === 'goods' ? {} : { view: next })} />
  const toolbar = () => <BindButton onClick={() => setBinding(true)} />
  const flash = useFlash()
  return (
    <>
      {view === 'goods' ? (
        <ByGoods head={head} toolbar={toolbar} onBind={setBinding} />
      ) : (
        <ResourcePage
          key={view}
          resource={priceTag}
          page={{
            intro: words.intro,
            head,
            toolbar,
            cells,
            rowActions: flash,
            fixed: status ? { status } : undefined,
            isNarrowed: !!status,
          }}
        />
      )}
      {isBinding && (
        <BindDialog good={isBinding === true ? undefined : isBinding} onClose={() => setBinding(undefined)} />
      )}
    </>
  )
}

/** Returns the row action that makes a tag flash, to find it on the shelf. */
function useFlash() {
  const t = useLocalize()
  const may = useHasPermission('priceTag_flash')
  return (row: Row) => {
    const run = async () => {
      await apiPost(`${priceTag.path}/flash`, { body: { id: String(row.id) } })
      toast.success(t(words.flashed, { tagId: String(row.tagId) }))
    }
    return may
      ? [{ key: 'flash', label: words.flash, icon: 'bulb' as const, run: () => void run().catch(() => {}) }]
      : []
  }
}

type ViewsProps = { value: string; onChange: (next: string) => void }

function Views({ value, onChange }: ViewsProps) {
  const t = useLocalize()
  return (
    <div className="kit-tabs">
      <Segmented
        value={value}
        onChange={onChange}
        aria-label={t(words.show)}
        options={(['goods', 'tags', 'waiting', 'failed'] as const).map((key) => ({
          value: key,
          label: t(key === 'goods' ? words.byGoods : words[key]),
        }))}
      />
    </div>
  )
}

function BindButton({ onClick }: { onClick: () => void }) {
  const t = useLocalize()
  if (!useHasPermission('priceTag_edit')) return null
  return (
    <Button icon={<Icon name="link" />} onClick={onClick}>
      {t(BIND_TAG_LABEL)}
    </Button>
  )
}

type ByGoodsProps = { head: () => ReactNode; toolbar: () => ReactNode; onBind: (good: Good) => void }

/** Goods with the tags that show them. */
function ByGoods({ head, toolbar, onBind }: ByGoodsProps) {
  const go = useNavigate()
  const mayBind = useHasPermission('priceTag_edit')
  return (
    <ResourcePage
      key="goods"
      resource={byGoods}
      page={{
        intro: words.intro,
        head,
        toolbar,
        onRow: (row) => void go(`/goods/good/${String(row.id)}`),
        columns: [
          {
            key: 'tags',
            label: words.ofGoods,
            width: 320,
            before: 'vipPrice',
            cell: (row: Good) => <TagsCell tags={row.tags ?? []} />,
          },
        ],
        rowActions: (row) =>
          mayBind ? [{ key: 'bind', label: BIND_TAG_LABEL, icon: 'link', run: () => onBind(row) }] : [],
      }}
    />
  )
}
