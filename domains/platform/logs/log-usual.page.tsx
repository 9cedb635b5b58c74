import { createTenantPage } from '#kit/web/page/for-tenant.tsx'
import { LogLevelTag, LogEntryDetail, logCellOverrides } from './log-detail.panel.tsx'
import { logUsual } from './log.resource.ts'

const intro = {
  zh: '系统自己记录的事：启动、导入、清理',
  en: 'Events the system records itself: starts, imports, clean-ups',
}
const shown = {
  ...logUsual,
  list: {
    ...logUsual.list,
    columns: ['logId', 'logLevel', 'createTime', 'serviceId', 'serverHost', 'requestUri', 'createBy'],
  },
}

export default createTenantPage(shown, {
  intro,
  cells: logCellOverrides,
  detail: (row) => (
    <LogEntryDetail
      resource={logUsual}
      row={row}
      first={[]}
      blocks={[{ key: 'logData' }, { key: 'params' }]}
      head={
        <>
          <LogLevelTag value={row.logLevel} />
          <strong>{String(row.logId)}</strong>
        </>
      }
    />
  ),
})
