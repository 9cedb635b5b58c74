import { tenantPage } from '#kit/web/for-tenant.tsx'
import { LevelTag, LogDetail, logCells } from './log-detail.panel.tsx'
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

export default tenantPage(shown, {
  intro,
  cells: logCells,
  detail: (row) => (
    <LogDetail
      resource={logUsual}
      row={row}
      first={[]}
      blocks={[{ key: 'logData' }, { key: 'params' }]}
      head={
        <>
          <LevelTag value={row.logLevel} />
          <strong>{String(row.logId)}</strong>
        </>
      }
    />
  ),
})
