// npm run comments: counts the comments whose opening leaves the subject to be guessed. Refuses none.
import { countCommentOpenings } from './comment-openings.ts'

const { comments, byOpening } = countCommentOpenings()
for (const [opening, count] of Object.entries(byOpening)) console.log(`${String(count).padStart(5)}  ${opening}`)
const sum = Object.values(byOpening).reduce((one, other) => one + other, 0)
console.log(`${String(sum).padStart(5)}  of ${comments} comments`)
