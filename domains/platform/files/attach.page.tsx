import type { WireRow } from '#kit/resource/index.ts'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import type { CellProps } from '#kit/fields/web-kind.ts'
import { callApi } from '#kit/web/http/call.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { tenantCellOverrides, renderTenantFilter, useTenantAwareResource } from '#kit/web/page/for-tenant.tsx'
import { apiDownload, apiUpload } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { Thumbnails } from '#kit/web/inputs/thumbnails.tsx'
import { toast } from '#kit/web/base/toast.ts'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { attachTicketCall } from './attach.calls.ts'
import { attach } from './attach.resource.ts'
import './attach.css'

type Row = WireRow<typeof attach>

const words = {
  intro: { zh: '上传的附件；下载链接只能使用一次', en: 'Uploaded files. A download link works only once.' },
  upload: { zh: '上传附件', en: 'Upload attachment' },
  download: { zh: '下载', en: 'Download' },
  sent: { zh: '已上传 {count} 个文件', en: '{count} {count|file|files} uploaded' },
}

const PICTURES = new Set(['jpg', 'jpeg', 'png', 'gif', 'webp', 'bmp'])
const icons: [RegExp, string][] = [
  [/^(xls|xlsx|csv)$/, 'file-excel'],
  [/^(zip|rar|7z|gz)$/, 'container'],
  [/^(mp4|mov|webm)$/, 'video-camera'],
  [/^(mp3|wav|ogg)$/, 'sound'],
  [/^(pdf|docx?|txt|md)$/, 'file-text'],
]

const UNITS = ['B', 'KB', 'MB', 'GB']

/** Formats a size in bytes with a unit. */
function sizeOf(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)))
  const amount = bytes / 1024 ** step
  return `${step && amount < 100 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[step]}`
}

function NameCell({ row }: CellProps<Row>) {
  const extension = String(row.extension ?? '').toLowerCase()
  const icon = icons.find(([pattern]) => pattern.test(extension))?.[1] ?? 'file'
  return (
    <span className="kit-named attach-name">
      {PICTURES.has(extension) ? (
        <Thumbnails links={[String(row.link)]} />
      ) : (
        <span className="attach-icon">
          <Icon name={icon} />
        </span>
      )}
      <span className="kit-line" data-tip-cut={String(row.originalName)}>
        {String(row.originalName)}
      </span>
    </span>
  )
}

const shown = {
  ...attach,
  fields: {
    ...attach.fields,
    originalName: { ...attach.fields.originalName, width: 300 },
    attachSize: { ...attach.fields.attachSize, width: 100 },
  },
  list: {
    ...attach.list,
    columns: ['originalName', 'tenantId', 'extension', 'attachSize', 'createUser', 'createTime'],
  },
}
const cells = {
  ...tenantCellOverrides,
  originalName: (props: CellProps<Row>) => <NameCell {...props} />,
  attachSize: ({ value }: CellProps<Row>) => <span className="kit-number">{sizeOf(Number(value ?? 0))}</span>,
}

/** Downloads a file with a one-time ticket; opens the address of a file stored elsewhere. */
async function fetchFile(row: Row) {
  const { ticket, url } = await callApi(attachTicketCall, { id: row.id })
  if (ticket) await apiDownload(url, undefined, { name: String(row.originalName) })
  else window.open(url, '_blank', 'noopener')
}

export default function AttachPage() {
  const mayDownload = useHasPermission('attach_download')
  return (
    <ResourcePage
      resource={useTenantAwareResource(shown)}
      page={{
        intro: words.intro,
        cells,
        head: renderTenantFilter,
        rowActions: (row) =>
          mayDownload
            ? [
                {
                  key: 'download',
                  label: words.download,
                  icon: 'download',
                  run: () => void fetchFile(row).catch(() => {}),
                },
              ]
            : [],
        toolbar: (list) => <UploadButton list={list} />,
      }}
    />
  )
}

function UploadButton({ list }: { list: ResourceList }) {
  const t = useLocalize()
  const mayUpload = useHasPermission('attach_upload')
  const input = useRef<HTMLInputElement>(null)
  const [share, setShare] = useState<number>()
  if (!mayUpload) return null

  const send = async (files: File[]) => {
    let count = 0
    for (const [index, file] of files.entries()) {
      try {
        await apiUpload('/api/blade-resource/oss/endpoint/put-file-attach', file, {
          onProgress: (part) => setShare(Math.round(((index + part) / files.length) * 100)),
        })
        count++
      } catch {
        // The client shows the refusal of this file; the others are still uploaded.
      }
    }
    setShare(undefined)
    if (count) toast.success(t(words.sent, { count }))
    list.refetch()
  }

  return (
    <>
      <Button
        type="primary"
        icon={<Icon name="upload" />}
        loading={share !== undefined}
        onClick={() => input.current?.click()}
      >
        {share === undefined ? t(words.upload) : t(kit.uploading, { share })}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t(words.upload)}
        onChange={(event) => {
          void send([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}
