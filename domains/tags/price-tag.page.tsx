import { Button, Input, Modal, Segmented } from 'antd'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { useCan } from '#kit/web/session/can.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { post, type HttpError } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay } from '#kit/web/language.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { Picker } from '#kit/web/form/picker.tsx'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import { toast } from '#kit/web/parts/toast.ts'
import { useRenew } from '#kit/web/detail/use-detail.ts'
import { goodInfo } from '#domains/goods/index.ts'
import { priceTag } from './price-tag.resource.ts'
import './tags.css'

const words = {
  intro: {
    zh: '货架上的电子价签：改价或改名后，同店同条码的价签自动排队更新',
    en:
      'The tags on the shelves: when a price or name changes, every tag of that barcode in the shop waits to be ' +
      'updated',
  },
  byGoods: { zh: '按商品', en: 'By goods' },
  tags: { zh: '全部价签', en: 'All tags' },
  waiting: { zh: '待更新', en: 'Waiting' },
  failed: { zh: '更新失败', en: 'Failed' },
  show: { zh: '显示', en: 'Show' },
  ofGoods: { zh: '价签', en: 'Tags' },
  bind: { zh: '绑定价签', en: 'Bind a tag' },
  tagNo: { zh: '价签编号（可扫码）', en: 'Tag number (can be scanned)' },
  which: { zh: '显示哪个商品', en: 'Which goods it shows' },
  bound: { zh: '价签 {tagId} 已绑定，等待更新', en: 'Tag {tagId} is bound and waits to be updated' },
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

function TagsCell({ tags }: { tags: readonly Tag[] }) {
  const say = useSay()
  return (
    <span className="goods-tags">
      {tags.map((tag) => (
        <span
          key={tag.id}
          className="goods-tag"
          data-tip={tag.battery >= 0 ? say(words.battery, { battery: tag.battery }) : undefined}
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

const known = (value: unknown) => value !== -1 && value !== '' && value !== undefined
function ShownCell({ value, row }: CellProps) {
  if (!known(value)) return <span className="kit-quiet">—</span>
  return (
    <span className={`kit-number ${known(row.wantedPrice) && value !== row.wantedPrice ? 'tag-behind' : ''}`}>
      ¥{String(value)}
    </span>
  )
}

/** The goods side: price and words, and beside them the tags that show them. */
const byGoods: Resource<any, any> = {
  ...goodInfo,
  name: priceTag.name,
  // Nobody may anything with this mixture of two families: it is read.
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

const cells = { shownPrice: (props: CellProps) => <ShownCell {...props} /> }

/** Price tags, by goods or one by one. */
export default function PriceTagPage() {
  const say = useSay()
  const go = useNavigate()
  const mayBind = useCan('priceTag_edit')
  const [query, setQuery] = useSearchParams()
  const [isBinding, setBinding] = useState<Row | true>()
  const view = query.get('view') ?? (query.has('status') ? 'tags' : 'goods')
  const status = view === 'waiting' ? '2' : view === 'failed' ? '3' : undefined
  const choose = (next: string) => setQuery(next === 'goods' ? {} : { view: next })
  const head = () => (
    <div className="kit-tabs">
      <Segmented
        value={view}
        onChange={choose}
        aria-label={say(words.show)}
        options={(['goods', 'tags', 'waiting', 'failed'] as const).map((key) => ({
          value: key,
          label: say(key === 'goods' ? words.byGoods : words[key]),
        }))}
      />
    </div>
  )
  const toolbar = () =>
    mayBind && (
      <Button icon={<Icon name="link" />} onClick={() => setBinding(true)}>
        {say(words.bind)}
      </Button>
    )
  return (
    <>
      {view === 'goods' ? (
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
                cell: (row) => <TagsCell tags={(row.tags as Tag[] | undefined) ?? []} />,
              },
            ],
            deeds: (row) =>
              mayBind ? [{ key: 'bind', label: words.bind, icon: 'link', run: () => setBinding(row) }] : [],
          }}
        />
      ) : (
        <ResourcePage
          key={view}
          resource={priceTag}
          page={{
            intro: words.intro,
            head,
            toolbar,
            cells,
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

/** Shows goods on a tag: on one that is there, or a new one. */
function BindDialog({ good, onClose }: { good?: Row; onClose: () => void }) {
  const say = useSay()
  const renew = useRenew()
  const [tagId, setTagId] = useState('')
  const [chosen, setChosen] = useState<{ id: string; upc: string; shopId?: string } | undefined>(
    good && { id: String(good.id), upc: String(good.upc), shopId: String(good.shopId) },
  )
  const [shopId, setShopId] = useState(good ? String(good.shopId) : '')
  const [isSending, setSending] = useState(false)
  const go = async () => {
    if (!tagId || !chosen) return
    setSending(true)
    try {
      await post(
        `${priceTag.path}/updateUpcTag`,
        { body: { tagId, upc: chosen.upc, shopId: shopId || undefined } },
        { quiet: true },
      )
      toast.success(say(words.bound, { tagId }))
      await renew(priceTag)
      onClose()
    } catch (reason) {
      toast.error((reason as HttpError).message)
    } finally {
      setSending(false)
    }
  }
  return (
    <Modal
      open
      title={say(words.bind)}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {say(kit.cancel)}
        </Button>,
        <Button key="go" type="primary" loading={isSending} disabled={!tagId || !chosen} onClick={() => void go()}>
          {say(words.bind)}
        </Button>,
      ]}
    >
      <form
        className="goods-bind"
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        {good ? (
          <p className="kit-ask">
            {String(good.name)}{' '}
            <span className="kit-quiet">
              {String(good.upc)} · {String(good.shopName)}
            </span>
          </p>
        ) : (
          <>
            <label htmlFor="bind-shop">{say(goodInfo.fields.shopId.label)}</label>
            <Picker
              id="bind-shop"
              to="basicShopInfo"
              value={shopId}
              onChange={(next) => {
                setShopId(next)
                setChosen(undefined)
              }}
            />
            <label htmlFor="bind-good">{say(words.which)}</label>
            <Picker
              id="bind-good"
              to="goodInfo"
              value={chosen?.id ?? ''}
              disabled={!shopId}
              filter={{ shopId }}
              onChange={(id, [option]) => setChosen(id ? { id, upc: option?.code ?? '' } : undefined)}
            />
          </>
        )}
        <label htmlFor="bind-tag">{say(words.tagNo)}</label>
        <Input
          id="bind-tag"
          autoFocus
          value={tagId}
          maxLength={32}
          onChange={(event) => setTagId(event.target.value.trim())}
        />
        <button type="submit" hidden />
      </form>
    </Modal>
  )
}
