// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {BPS_DENOMINATOR, Pricing, SECONDS_PER_DAY} from "./Types.sol";

/// @notice Discounts and days to the due date. Amounts are rounded in favour of the vault. Days are rounded down, as
/// the specification demands, which favours the user by less than one day's discount.
library PricingMath {
    /// @notice Whole days from `timestamp` to `dueDate` (Unix seconds), which is not before it.
    function daysToDueRoundedDown(uint256 dueDate, uint256 timestamp) internal pure returns (uint256) {
        return (dueDate - timestamp) / SECONDS_PER_DAY;
    }

    /// @notice Total discount in basis points; does not depend on the face amount.
    function totalBps(Pricing memory pricing, uint8 claimType, uint256 daysToDue) internal pure returns (uint256) {
        return uint256(pricing.baseDiscountBps) + uint256(pricing.durationBpsPerDay) * daysToDue
            + premiumBps(pricing, claimType);
    }

    /// @notice Premium of a claim type in basis points; 0 beyond the end of the list.
    function premiumBps(Pricing memory pricing, uint8 claimType) internal pure returns (uint256) {
        return claimType < pricing.premiumBps.length ? pricing.premiumBps[claimType] : 0;
    }

    /// @notice ceil(face * bps / 10000), in base units.
    function discountRoundedUp(uint256 face, uint256 bps) internal pure returns (uint256) {
        return Math.mulDiv(face, bps, BPS_DENOMINATOR, Math.Rounding.Ceil);
    }
}
