import { tenantPage } from '#kit/web/for-tenant.tsx'
import { LogDetail, logCells, MethodTag, statusCell, StatusTag } from './log-detail.panel.tsx'
import { logApi } from './log.resource.ts'

const intro = { zh: '谁在什么时候做了什么改动', en: 'Who changed what, and when' }
const shown = {
  ...logApi,
  list: {
    ...logApi.list,
    columns: ['title', 'createTime', 'method', 'requestUri', 'httpStatus', 'time', 'createBy', 'remoteIp'],
  },
}

export default tenantPage(shown, {
  intro,
  cells: { ...logCells, httpStatus: statusCell },
  detail: (row) => (
    <LogDetail
      resource={logApi}
      row={row}
      first={['reason']}
      blocks={[{ key: 'params' }]}
      head={
        <>
          <MethodTag value={row.method} />
          <strong>{String(row.title || row.requestUri)}</strong>
          <StatusTag value={row.httpStatus} />
        </>
      }
    />
  ),
})
