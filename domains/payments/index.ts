export { moneyMove } from './money-move.resource.ts'
