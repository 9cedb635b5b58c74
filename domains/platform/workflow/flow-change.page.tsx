import { Link } from 'react-router'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { flowChange } from './flow-change.resource.ts'

export default createResourcePage(flowChange, {
  intro: {
    zh: '等待或经过审批的操作，以及结果',
    en: 'Actions waiting for or decided by approval, with their results',
  },
  cells: {
    title: ({ row }) => <Link to={`/work/process/detail/${String(row.instanceId)}`}>{String(row.title)}</Link>,
  },
})
