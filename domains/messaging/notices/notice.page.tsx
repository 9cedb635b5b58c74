import type { WireRow } from '#kit/resource/index.ts'
import { Button, Modal, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import RichTextInput from '#kit/fields/rich-text/rich-text-input.web.tsx'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { createTenantPage } from '#kit/web/page/for-tenant.tsx'
import { useNow, RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { notice } from './notice.resource.ts'
import './notice.css'

type Row = WireRow<typeof notice>

const CleanHtml = lazy(() => import('#kit/fields/rich-text/clean-html.web.tsx'))

const words = {
  intro: {
    zh: '发给本租户所有人的消息，到发布时间立即送达打开着的浏览器',
    en: 'Messages to everyone in the tenant. Delivered to open browsers at the publishing time.',
  },
  preview: { zh: '预览', en: 'Preview' },
  waiting: { zh: '定时发布', en: 'Scheduled' },
  out: { zh: '已发布', en: 'Published' },
  untitled: { zh: '(未填写标题)', en: '(no title yet)' },
  nothing: { zh: '(还没有内容)', en: '(no content yet)' },
  by: { zh: '发布人', en: 'Published by' },
}

const layout: FormLayoutOf<typeof notice> = [{ fields: ['tenantId', 'title', 'category', 'releaseTime', 'content'] }]

const momentOf = (text: unknown) => new Date(`${String(text).replace(' ', 'T')}+08:00`).getTime()

function ReleaseCell({ value }: CellProps<Row>) {
  const t = useLocalize()
  const now = useNow()
  const at = String(value ?? '')
  if (!at) return <span className="kit-quiet">—</span>
  const isWaiting = momentOf(at) > now
  return (
    <span className="notice-when">
      <Tag
        className="kit-tag"
        color={isWaiting ? 'warning' : 'success'}
        icon={<Icon name={isWaiting ? 'clock-circle' : 'check-circle'} />}
      >
        {t(isWaiting ? words.waiting : words.out)}
      </Tag>
      <RelativeTime at={at} />
    </span>
  )
}

/**
 * Renders a notice as its readers see it; also serves as the preview while it is written, when fields may be missing.
 */
function Notice({ row }: { row: { [key in keyof Row]?: unknown } }) {
  const t = useLocalize()
  return (
    <article className="notice">
      <h2>{String(row.title || t(words.untitled))}</h2>
      <p className="kit-quiet">
        {row.category ? (
          <DictTag code="notice" value={row.category} label={row.categoryName as string | undefined} />
        ) : null}
        {row.releaseTime ? <RelativeTime at={String(row.releaseTime)} full /> : null}
        {row.createUserName ? (
          <span>
            {t(words.by)} {String(row.createUserName)}
          </span>
        ) : null}
      </p>
      {row.content ? (
        <Suspense>
          <CleanHtml html={String(row.content)} />
        </Suspense>
      ) : (
        <p className="kit-quiet">{t(words.nothing)}</p>
      )}
    </article>
  )
}

/** The text editor with a button that previews the notice. */
function ContentInput(props: InputProps) {
  const t = useLocalize()
  const [open, setOpen] = useState(false)
  return (
    <div className="notice-editor">
      <RichTextInput {...props} />
      <div>
        <Button icon={<Icon name="eye" />} onClick={() => setOpen(true)}>
          {t(words.preview)}
        </Button>
      </div>
      {open && (
        <Modal
          open
          title={t(words.preview)}
          footer={null}
          width={720}
          mask={{ closable: true }}
          onCancel={() => setOpen(false)}
        >
          <Notice row={props.values} />
        </Modal>
      )}
    </div>
  )
}

const { releaseTime } = notice.fields
const shown = {
  ...notice,
  fields: {
    ...notice.fields,
    category: { ...notice.fields.category, width: 150 },
    releaseTime: { ...releaseTime, width: 220 },
  },
}

export default createTenantPage(shown, {
  intro: words.intro,
  formLayout: layout,
  inputs: { content: ContentInput },
  cells: { releaseTime: (props) => <ReleaseCell {...props} /> },
  detail: (row) => <Notice row={row} />,
})
