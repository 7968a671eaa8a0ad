// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice Bounds that a caller sets for what a call gives or takes (ERC-5143).
abstract contract CallBounds {
    /// @notice Less is given for what is paid than the bound of the call.
    error BelowMinimum(uint256 amount, uint256 minimum);
    /// @notice More is taken for what is asked than the bound of the call.
    error AboveMaximum(uint256 amount, uint256 maximum);

    function _atLeast(uint256 amount, uint256 minimum) internal pure returns (uint256) {
        if (amount < minimum) revert BelowMinimum(amount, minimum);
        return amount;
    }

    function _atMost(uint256 amount, uint256 maximum) internal pure returns (uint256) {
        if (amount > maximum) revert AboveMaximum(amount, maximum);
        return amount;
    }
}
