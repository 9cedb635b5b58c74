import { Tag } from 'antd'
import { Icon } from '#kit/web/theme/icon.tsx'
import { createTenantPage } from '#kit/web/page/for-tenant.tsx'
import { LogEntryDetail, logCellOverrides } from './log-detail.panel.tsx'
import { logError } from './log.resource.ts'

const intro = { zh: '服务器和浏览器中没有料到的错误', en: 'Unexpected errors of the server and of browsers' }
const shown = {
  ...logError,
  list: {
    ...logError.list,
    columns: [
      'exceptionName',
      'summary',
      'createTime',
      'serviceId',
      'requestUri',
      'fileName',
      'lineNumber',
      'createBy',
      'traceId',
    ],
  },
}

export default createTenantPage(shown, {
  intro,
  cells: logCellOverrides,
  detail: (row) => (
    <LogEntryDetail
      resource={logError}
      row={row}
      first={['fileName', 'lineNumber']}
      blocks={[{ key: 'message', wrap: true }, { key: 'stackTrace' }, { key: 'params' }]}
      head={
        <Tag className="kit-tag" color="error" icon={<Icon name="bug" />}>
          {String(row.exceptionName || 'Error')}
        </Tag>
      }
    />
  ),
})
