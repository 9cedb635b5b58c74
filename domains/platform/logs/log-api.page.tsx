import { createTenantPage } from '#kit/web/page/for-tenant.tsx'
import { LogEntryDetail, logCellOverrides, HttpMethodTag, httpStatusCell, HttpStatusTag } from './log-detail.panel.tsx'
import { logApi } from './log.resource.ts'

const intro = { zh: '谁在什么时候做了什么改动', en: 'Who changed what, and when' }
const shown = {
  ...logApi,
  list: {
    ...logApi.list,
    columns: ['title', 'createTime', 'method', 'requestUri', 'httpStatus', 'time', 'createBy', 'remoteIp'],
  },
}

export default createTenantPage(shown, {
  intro,
  cells: { ...logCellOverrides, httpStatus: httpStatusCell },
  detail: (row) => (
    <LogEntryDetail
      resource={logApi}
      row={row}
      first={['reason']}
      blocks={[{ key: 'params' }]}
      head={
        <>
          <HttpMethodTag value={row.method} />
          <strong>{String(row.title || row.requestUri)}</strong>
          <HttpStatusTag value={row.httpStatus} />
        </>
      }
    />
  ),
})
