// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SECONDS_PER_DAY} from "./Types.sol";

/// @notice The value over time of what a vault has financed.
///
/// An allocation earns its discount linearly, from its funding to the end of its due day (UTC). From then on, while it
/// is not paid, its face is written down linearly, to zero in `WRITE_DOWN_DAYS`. Nobody chooses these moments.
///
/// The value of all allocations is a sum of lines: `perSecond * time + offset`. Lines change at midnights only, by sums
/// that are kept for each due day, so the allocations are never iterated.
///
/// @dev Amounts are base units times `SCALE`, of which the seconds of a write-down are a factor, so losses are exact.
/// Gains per second are rounded down, so an allocation is worth up to 2^-26 base units too little (in ten years) until
/// the end of its due day, and exactly its face then.
library CarryingValue {
    /// @notice Days after its due day in which the value of an unpaid allocation declines to zero.
    uint256 internal constant WRITE_DOWN_DAYS = 90;
    uint256 internal constant SCALE = (WRITE_DOWN_DAYS * SECONDS_PER_DAY) << 32;
    /// @dev Loss of one base unit of face in a second of the write-down, times `SCALE`.
    uint256 private constant LOSS_PER_SECOND = SCALE / (WRITE_DOWN_DAYS * SECONDS_PER_DAY);

    /// @notice Earned discounts and losses at a time: `perSecond * time + offset`. They hold until the day after
    /// `throughDay` begins.
    struct Lines {
        int256 gainPerSecond;
        int256 gainOffset;
        int256 lossPerSecond;
        int256 lossOffset;
        uint256 throughDay;
    }

    /// @notice Sums over the allocations that become overdue at the same midnight: their gains per second, which end
    /// then, the offset that leaves their whole discounts from then on, and the face that is not paid.
    struct OverdueDay {
        int256 gainPerSecond;
        int256 gainOffset;
        uint256 unpaidFace;
    }

    /// @dev Days are counted from the epoch. Bit `day % 256` of `marks[day / 256]` is set where `overdueOn[day]` is.
    struct Book {
        Lines lines;
        mapping(uint256 day => OverdueDay) overdueOn;
        mapping(uint256 word => uint256) marks;
    }

    /// @notice Starts an empty book.
    function open(Book storage book) internal {
        book.lines.throughDay = _today();
    }

    /// @notice Adds an allocation that is funded now. `dueDate` is in the future.
    function add(Book storage book, uint256 dueDate, uint256 faceAmount, uint256 discountAmount) internal {
        Lines memory lines = _linesOn(book, _today());
        uint256 day = _overdueFrom(dueDate);
        int256 discount = int256(discountAmount * SCALE);
        int256 perSecond = discount / int256(day * SECONDS_PER_DAY - block.timestamp);
        int256 sinceEpoch = perSecond * int256(block.timestamp);

        lines.gainPerSecond += perSecond;
        lines.gainOffset -= sinceEpoch;
        book.lines = lines;
        book.overdueOn[day].gainPerSecond += perSecond;
        book.overdueOn[day].gainOffset += sinceEpoch + discount;
        book.overdueOn[day].unpaidFace += faceAmount;
        book.marks[day >> 8] |= 1 << (day & 255);
    }

    /// @notice Removes an allocation that is paid now, or the part of it that is: its loss, and its discount, which the
    /// vault has received. A discount that is paid before the end of the due day is still earned until then.
    function remove(Book storage book, uint256 dueDate, uint256 faceAmount, uint256 discountAmount) internal {
        Lines memory lines = _linesOn(book, _today());
        uint256 day = _overdueFrom(dueDate);

        lines.gainOffset -= int256(discountAmount * SCALE);
        if (lines.throughDay >= day + WRITE_DOWN_DAYS) lines.lossOffset -= int256(faceAmount * SCALE);
        else if (lines.throughDay >= day) _addLoss(lines, -int256(faceAmount), day);
        book.lines = lines;
        book.overdueOn[day].unpaidFace -= faceAmount;
    }

    /// @notice Stores the lines of a day, which is not in the future, so that later calls begin with them.
    function carryForward(Book storage book, uint256 day) internal {
        if (book.lines.throughDay < day) book.lines = _linesOn(book, day);
    }

    /// @notice Discounts that are earned now, less those that payments have brought, and losses of the face that is not
    /// paid; times `SCALE`. Gains are negative where discounts are paid before they are earned.
    function valueNow(Book storage book) internal view returns (int256 gains, int256 losses) {
        Lines memory lines = _linesOn(book, _today());
        gains = lines.gainPerSecond * int256(block.timestamp) + lines.gainOffset;
        losses = lines.lossPerSecond * int256(block.timestamp) + lines.lossOffset;
    }

    // ---------------------------------------------------------------- lines

    /// @dev The lines of the day `until`, which is not before that of the stored ones.
    function _linesOn(Book storage book, uint256 until) private view returns (Lines memory lines) {
        lines = book.lines;
        uint256 through = lines.throughDay;
        for (uint256 day = _nextMark(book, through, until); day != 0; day = _nextMark(book, day, until)) {
            OverdueDay storage overdue = book.overdueOn[day];
            lines.gainPerSecond -= overdue.gainPerSecond;
            lines.gainOffset += overdue.gainOffset;
            _addLoss(lines, int256(overdue.unpaidFace), day);
        }
        uint256 last = until - WRITE_DOWN_DAYS;
        uint256 first = through - WRITE_DOWN_DAYS;
        for (uint256 day = _nextMark(book, first, last); day != 0; day = _nextMark(book, day, last)) {
            _addLoss(lines, -int256(book.overdueOn[day].unpaidFace), day + WRITE_DOWN_DAYS);
        }
        lines.throughDay = until;
    }

    /// @dev Adds the loss of `faceAmount` per second from the midnight of `day` on.
    function _addLoss(Lines memory lines, int256 faceAmount, uint256 day) private pure {
        int256 perSecond = faceAmount * int256(LOSS_PER_SECOND);
        lines.lossPerSecond += perSecond;
        lines.lossOffset -= perSecond * int256(day * SECONDS_PER_DAY);
    }

    /// @dev The first marked day after `day` and up to `last`; 0 where there is none.
    function _nextMark(Book storage book, uint256 day, uint256 last) private view returns (uint256) {
        for (++day; day <= last; day = (day | 255) + 1) {
            uint256 rest = book.marks[day >> 8] >> (day & 255);
            if (rest == 0) continue;
            day += Math.log2(rest & (~rest + 1));
            return day <= last ? day : 0;
        }
        return 0;
    }

    function _today() private view returns (uint256) {
        return block.timestamp / SECONDS_PER_DAY;
    }

    /// @dev The day after the due day.
    function _overdueFrom(uint256 dueDate) private pure returns (uint256) {
        return dueDate / SECONDS_PER_DAY + 1;
    }
}
