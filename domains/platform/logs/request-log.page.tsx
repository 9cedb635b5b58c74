import type { CellProps } from '#kit/fields/web-kind.ts'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { LogEntryDetail, MillisecondsText, logCellOverrides, httpStatusCell } from './log-detail.panel.tsx'
import { requestLog } from './request-log.resource.ts'

const intro = {
  zh: '向短信、支付等外部系统发出的请求和它们的回答；密钥和个人信息已隐去',
  en: 'Requests to SMS, payment and other external systems with their responses. Secrets and personal data are hidden.',
}

export default createResourcePage(requestLog, {
  intro,
  cells: {
    method: logCellOverrides.method,
    httpStatus: httpStatusCell,
    costMs: ({ value }: CellProps) => <MillisecondsText value={value} />,
    url: logCellOverrides.requestUri,
  },
  detail: (row) => (
    <LogEntryDetail
      resource={requestLog}
      row={{ ...row, system: row.systemName, direction: row.directionName }}
      first={['system', 'direction', 'method', 'url', 'httpStatus', 'bizCode', 'costMs', 'traceId']}
      blocks={[{ key: 'request' }, { key: 'response' }]}
      head={<strong>{String(row.url)}</strong>}
    />
  ),
})
